/** What is shown of a question to the API: that it is under way, its answer, that there is nothing, or what went wrong. */
import { useNetwork } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Loading } from './loading.tsx';

export interface QueryStateProps<Data> {
  /** Of `useApi` or `useApiList`. */
  readonly query: {
    readonly data: Data | undefined;
    readonly error: ApiError | null;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** Default: a few grey lines. */
  readonly loading?: ReactNode;
  /** What an answer with nothing in it says, and what to do next. */
  readonly empty?: ReactNode;
  readonly isEmpty?: (data: Data) => boolean;
  readonly children: (data: Data) => ReactNode;
}

/** An answer that is there stays there while the next one fails: the notice stands above it. */
export function QueryState<Data>({ query, loading, empty, isEmpty, children }: QueryStateProps<Data>) {
  const { online } = useNetwork();
  const { data, error, isFetching } = query;
  const retry = () => void query.refetch();
  // While the page is offline its banner says so.
  const isTold = error && (online || data === undefined);
  return (
    <>
      {isTold && <ErrorNotice error={error} retry={retry} retrying={isFetching} />}
      {data !== undefined && (isEmpty?.(data) ? empty : children(data))}
      {data === undefined && !error && (loading ?? <Loading />)}
    </>
  );
}
