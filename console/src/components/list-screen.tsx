/** The screen of a numbered list that an owner configures: the button that adds, the table, and the empty state. */
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { type ScreenId, screens } from '../app/screens.ts';
import { strings } from '../strings/strings.ts';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';
import { Pagination } from './pagination.tsx';
import { QueryState, type QueryStateProps } from './query-state.tsx';
import { type Column, TableList } from './table-list.tsx';

interface ListScreenProps<Entry> {
  readonly screen: ScreenId;
  /** `create` is the label of the button that adds. */
  readonly texts: Readonly<Record<'intro' | 'create' | 'emptyTitle' | 'emptyHint', string>>;
  /** The page of the search parameter `page`. */
  readonly query: QueryStateProps<{ readonly data: readonly Entry[]; readonly total: number }>['query'];
  readonly columns: readonly Column<Entry>[];
  /** Entries of one group are listed together below its name, unless a column sorts the list. */
  readonly groupOf?: (entry: Entry) => string;
  readonly limit: number;
  add(): void;
  /** The forms and dialogs of the screen. */
  readonly children?: ReactNode;
}

export function ListScreen<Entry extends { readonly id: number }>(props: ListScreenProps<Entry>) {
  const { screen, texts, query, limit, add, children, ...list } = props;
  const icon = screens.find(({ id }) => id === screen)?.icon ?? Plus;
  const { page = 1 } = useSearch({ strict: false });
  const navigate = useNavigate();
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
        {({ data, total }) => (
          <>
            <TableList
              label={strings.screens[screen]}
              entries={data}
              keyOf={({ id }) => id}
              isWhole={total <= limit}
              {...list}
            />
            <Pagination
              page={page}
              total={total}
              limit={limit}
              onChange={(next) => void navigate({ to: '.', search: { page: next } })}
            />
          </>
        )}
      </QueryState>
      {children}
    </Page>
  );
}
