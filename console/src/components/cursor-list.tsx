/** A list that continues by cursor: its entries, and the button that loads the next page. */
import { Button, Center, Stack, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import type { LoadedPages } from '../api/hooks.ts';
import { strings } from '../strings/strings.ts';
import { QueryState } from './query-state.tsx';

export interface CursorListProps<Entry> {
  /** The list, from `useApiList`. */
  readonly list: UseInfiniteQueryResult<LoadedPages<Entry>, ApiError>;
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
  isShown = () => true,
  hasMore = list.hasNextPage,
  onMore = () => void list.fetchNextPage(),
  empty,
  children,
}: CursorListProps<Entry>) {
  const { hasNextPage, isFetchingNextPage } = list;
  return (
    <QueryState query={list} isEmpty={({ entries }) => !entries.some(isShown) && !hasNextPage} empty={empty}>
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
  );
}
