/** A list that continues by cursor: its entries, and the button that loads the next page. */
import { Button, Center, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import type { LoadedPages } from '../api/hooks.ts';
import { strings } from '../strings/strings.ts';
import { QueryState } from './query-state.tsx';

export interface CursorListProps<Entry> {
  /** The list, from `useApiList`. */
  readonly list: UseInfiniteQueryResult<LoadedPages<Entry>, ApiError>;
  /** Whether the user has filtered the list: a screen reader then reads that no entry matches. */
  readonly isFiltered?: boolean | undefined;
  /** Filters entries if the API has no such filter. Default: all. */
  readonly isShown?: (entry: Entry) => boolean;
  /** Whether there are more entries, and how to show them. Default: the next page. */
  readonly hasMore?: boolean;
  onMore?(): void;
  /** Shown in place of a list without entries. */
  readonly empty: ReactNode;
  readonly children: (entries: readonly Entry[]) => ReactNode;
}

/** With a filter that matches little, pages may be empty: then only the button is shown. */
export function CursorList<Entry>({
  list,
  isFiltered,
  isShown = () => true,
  hasMore = list.hasNextPage,
  onMore = () => void list.fetchNextPage(),
  empty,
  children,
}: CursorListProps<Entry>) {
  const { data, hasNextPage, isFetchingNextPage } = list;
  const isEmpty = ({ entries }: LoadedPages<Entry>) => !entries.some(isShown) && !hasNextPage;
  return (
    <>
      <VisuallyHidden role="status">{isFiltered && data && isEmpty(data) && strings.app.searchNothing}</VisuallyHidden>
      <QueryState query={list} isEmpty={isEmpty} empty={empty}>
        {({ entries }) => {
          const shown = entries.filter(isShown);
          return (
            <Stack>
              {shown.length > 0 && children(shown)}
              {shown.length === 0 && !isFetchingNextPage && <Text c="dimmed">{strings.app.morePages}</Text>}
              {hasMore && (
                <Center>
                  <Button variant="default" loading={isFetchingNextPage} onClick={onMore}>
                    {strings.app.loadMore}
                  </Button>
                </Center>
              )}
            </Stack>
          );
        }}
      </QueryState>
    </>
  );
}
