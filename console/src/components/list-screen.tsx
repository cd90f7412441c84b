/** The screen of a list that an owner configures: the button that adds, a search, the table, and the empty state. */
import { Button, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';
import { type ScreenId, screens } from '../app/screens.ts';
import { strings } from '../strings/strings.ts';
import { isSearched } from './choices.ts';
import { DimmedText } from './dimmed-text.tsx';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';
import { QueryState, type QueryStateProps } from './query-state.tsx';
import { type Column, TableList } from './table-list.tsx';
import { useDebouncedSearch } from './use-debounced-search.ts';

interface ListScreenProps<Entry> {
  readonly screen: ScreenId;
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
  const { search = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [typed, setTyped] = useDebouncedSearch(search, (text) =>
    navigate({ to: '.', search: (old) => ({ ...old, search: text || undefined }), replace: true, resetScroll: false }),
  );
  const words = plain(useDeferredValue(typed).trim());
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
            {(isSearched(data) || typed) && (
              <TextInput
                type="search"
                maw={420}
                aria-label={strings.app.search}
                placeholder={strings.app.search}
                leftSection={<Search size={16} aria-hidden />}
                value={typed}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
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

/** Ignores case and accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
