/** The state of a query: loading, data, empty or error. */
import { useNetwork } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Loading } from './loading.tsx';

export interface QueryStateProps<Data> {
  /** The query, from `useApi` or `useApiList`. */
  readonly query: {
    readonly data: Data | undefined;
    readonly error: ApiError | null;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** Content while loading. Default: a skeleton of a few lines. */
  readonly loading?: ReactNode;
  /** Shown for an empty answer. */
  readonly empty?: ReactNode;
  readonly isEmpty?: (data: Data) => boolean;
  readonly children: (data: Data) => ReactNode;
}

/** Data stays visible if a refetch fails; the error is shown above it. */
export function QueryState<Data>({ query, loading, empty, isEmpty, children }: QueryStateProps<Data>) {
  const { online } = useNetwork();
  const { data, error, isFetching } = query;
  const retry = () => void query.refetch();
  // While the browser is offline, the banner of the page is shown instead.
  const showsError = error && (online || data === undefined);
  return (
    <>
      {showsError && <ErrorNotice error={error} retry={retry} retrying={isFetching} />}
      {data !== undefined && (isEmpty?.(data) ? empty : children(data))}
      {data === undefined && !error && (loading ?? <Loading />)}
    </>
  );
}
