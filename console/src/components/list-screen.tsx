/**
 * The screen of a list that an owner configures: the button that adds an entry, a search, the table, and the empty
 * state.
 */
import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';
import { type Screen, screens } from '../app/screens.ts';
import { plain } from '../format/formats.ts';
import { strings } from '../strings/strings.ts';
import { isSearched } from './choices.ts';
import { DimmedText } from './dimmed-text.tsx';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';
import { QueryState, type QueryStateProps } from './query-state.tsx';
import { SearchField, useSearchText } from './search-field.tsx';
import { type Column, TableList } from './table-list.tsx';

interface ListScreenProps<Entry> {
  readonly screen: Screen['id'];
  /** `create` is the label of the button that adds. */
  readonly texts: Readonly<Record<'intro' | 'create' | 'emptyTitle' | 'emptyHint', string>>;
  /** The complete list. */
  readonly query: QueryStateProps<{ readonly data: readonly Entry[]; readonly total: number }>['query'];
  /** The first one sorts by the text that is searched. */
  readonly columns: readonly Column<Entry>[];
  /** Entries of one group are listed together below its name, unless a column sorts the list. */
  readonly groupOf?: (entry: Entry) => string;
  add(): void;
  /** The forms and dialogs of the screen. */
  readonly children?: ReactNode;
}

export function ListScreen<Entry extends { readonly id: number }>(props: ListScreenProps<Entry>) {
  const { screen, texts, query, add, children, ...list } = props;
  const icon = screens.find(({ id }) => id === screen)?.icon ?? Plus;
  const text = useSearchText();
  const words = plain(useDeferredValue(text.typed).trim());
  const isFound = (entry: Entry) =>
    plain([list.columns[0]?.sortBy?.(entry), list.groupOf?.(entry)].join(' ')).includes(words);
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={add}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={strings.screens[screen]} description={texts.intro} actions={button}>
      <QueryState
        query={query}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState icon={icon} title={texts.emptyTitle} hint={texts.emptyHint}>
            {button}
          </EmptyState>
        }
      >
        {({ data }) => (
          <>
            {(isSearched(data) || text.typed) && (
              <SearchField text={text} aria-label={strings.app.search} placeholder={strings.app.search} />
            )}
            <TableList
              label={strings.screens[screen]}
              entries={data.filter(isFound)}
              keyOf={({ id }) => id}
              {...list}
            />
            {!data.some(isFound) && <DimmedText role="status">{strings.app.searchNothing}</DimmedText>}
          </>
        )}
      </QueryState>
      {children}
    </Page>
  );
}
