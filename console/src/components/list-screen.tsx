/** The screen of a numbered list that an owner configures: the button that adds, the table, and the empty state. */
import { Button } from '@mantine/core';
import { type LucideIcon, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import { useBusiness } from '../app/business.tsx';
import type { ScreenId } from '../app/screens.ts';
import { strings } from '../strings/strings.ts';
import { EmptyState } from './empty-state.tsx';
import { NeedsBusiness } from './needs-business.tsx';
import { Page } from './page.tsx';
import { Pagination } from './pagination.tsx';
import { QueryState } from './query-state.tsx';
import { type Column, TableList } from './table-list.tsx';

interface ListScreenProps<Entry> {
  readonly screen: ScreenId;
  readonly icon: LucideIcon;
  readonly texts: { readonly intro: string; readonly emptyTitle: string; readonly emptyHint: string };
  /** The label of the button that adds. */
  readonly verb: string;
  readonly query: {
    readonly data: { readonly data: readonly Entry[]; readonly total: number } | undefined;
    readonly error: ApiError | null;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  readonly columns: readonly Column<Entry>[];
  /** Entries of one group are listed together below its name, unless a column sorts the list. */
  readonly groupOf?: (entry: Entry) => string;
  readonly page: number;
  readonly limit: number;
  onPage(page: number): void;
  add(): void;
  /** Whether the list needs a business. Default: true. */
  readonly needsBusiness?: boolean;
  /** The forms and dialogs of the screen. */
  readonly children?: ReactNode;
}

export function ListScreen<Entry extends { readonly id: number }>(props: ListScreenProps<Entry>) {
  const { screen, icon, texts, verb, query, page, limit, onPage, add, needsBusiness = true, children, ...list } = props;
  const business = useBusiness();
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={add}>
      {verb}
    </Button>
  );
  const content = (
    <>
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
            <Pagination page={page} total={total} limit={limit} onChange={onPage} />
          </>
        )}
      </QueryState>
      {children}
    </>
  );
  return (
    <Page title={strings.screens[screen]} description={texts.intro} actions={(business || !needsBusiness) && button}>
      {needsBusiness ? <NeedsBusiness>{() => content}</NeedsBusiness> : content}
    </Page>
  );
}
