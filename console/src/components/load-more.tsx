/** The button that loads the next page of a cursor list. */
import { Button, Center } from '@mantine/core';
import { strings } from '../strings/strings.ts';

export interface LoadMoreProps {
  /** Of `useApiList`. */
  readonly list: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): unknown };
}

export function LoadMore({ list: { hasNextPage, isFetchingNextPage, fetchNextPage } }: LoadMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Center>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {strings.app.loadMore}
      </Button>
    </Center>
  );
}
