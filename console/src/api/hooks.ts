/** The account API as hooks: queries, lists that continue by cursor, and mutations. */
import {
  hashKey,
  keepPreviousData,
  QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, use, useEffect, useRef, useState } from 'react';
import type { Answer, Api, Input, OperationId } from './call.ts';
import { ApiError } from './errors.ts';
import { operations } from './generated/operations.ts';

type OfMethod<Method> = {
  [Id in OperationId]: (typeof operations)[Id]['method'] extends Method ? Id : never;
}[OperationId];

/** Operations that only read. */
export type ReadId = OfMethod<'GET'>;
/** Operations that change something. */
export type MutationId = Exclude<OperationId, ReadId>;
/** Lists that continue by cursor. */
export type CursorListId = {
  [Id in ReadId]: Answer<Id> extends { data: readonly unknown[]; nextCursor: string | null } ? Id : never;
}[ReadId];

/** Numbered lists that are short enough to be loaded completely, for a screen or for the options of a field. */
type WholeListId = 'listServices' | 'listStaff' | 'listResources' | 'listApiKeys' | 'listWebhooks';

export type EntryOf<Id extends CursorListId> = Answer<Id> extends { data: readonly (infer Entry)[] } ? Entry : never;

export const ApiContext = createContext<Api | undefined>(undefined);

export function useApiCalls(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error('There is no API above this component.');
  return api;
}

export const passingFailuresRetried = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < passingFailuresRetried && error instanceof ApiError && error.isPassing,
      },
      // The user repeats a change that failed. A response may contain a secret: it is dropped with the screen.
      // Offline a change fails at once: a waiting one would be sent after the user has closed its form.
      mutations: { retry: false, gcTime: 0, networkMode: 'always' },
    },
  });
}

/** The query options of an operation: prefetching and `useApi` share one cache entry. */
export function apiQueryOptions<Id extends ReadId>({ mode, call }: Api, id: Id, input: Input<Id>) {
  return {
    queryKey: [mode, id, input],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(id, input, { signal }),
  };
}

interface ReadOptions<Data = unknown> {
  /** Whether the request is sent. Default: true. */
  readonly enabled?: boolean;
  /**
   * Milliseconds between requests while the page is visible, or a function of the query that returns them. Default: only
   * when the window regains focus.
   */
  readonly refetchInterval?: NonNullable<UseQueryOptions<Data, ApiError>['refetchInterval']>;
  /** Whether the last response is shown while the one for another input loads. */
  readonly keepPrevious?: boolean;
}

/** Reads a response that components with equal input share. It is reloaded if it is older than ten seconds. */
export function useApi<Id extends ReadId>(
  id: Id,
  input: Input<Id>,
  { keepPrevious, ...options }: ReadOptions<Answer<Id>> = {},
): UseQueryResult<Answer<Id>, ApiError> {
  return useQuery<Answer<Id>, ApiError>({
    ...apiQueryOptions(useApiCalls(), id, input),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...options,
  });
}

const pageLimit = 100;

/** The query options of a whole list, as for `apiQueryOptions`. */
export function wholeListOptions<Id extends WholeListId>({ mode, call }: Api, id: Id, input?: Input<Id>) {
  return {
    queryKey: [mode, id, 'whole', input],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Answer<Id>> => {
      const pageAt = (page: number) => call(id, { ...input, page, limit: pageLimit } as Input<Id>, { signal });
      const first = await pageAt(1);
      const others = Array.from({ length: Math.ceil(first.total / pageLimit) - 1 }, (_, at) => pageAt(at + 2));
      return { ...first, data: [first, ...(await Promise.all(others))].flatMap(({ data }) => data as unknown[]) };
    },
  };
}

/** Reads all pages of a list as one. */
export function useWholeList<Id extends WholeListId>(
  id: Id,
  options: ReadOptions = {},
  input?: Input<Id>,
): UseQueryResult<Answer<Id>, ApiError> {
  return useQuery<Answer<Id>, ApiError>({ ...wholeListOptions(useApiCalls(), id, input), ...(options as object) });
}

/** How many entries a list grows by at a time. */
const idsAtOnce = 20;

/**
 * Reads the entries with these ids, in one more request each time that the list of ids grows by a page. Known entries
 * are kept while those of a changed list load.
 */
export function useByIds<Id extends 'listBookings' | 'listClients'>(
  id: Id,
  ids: readonly (number | null | undefined)[],
): ReadonlyMap<number, EntryOf<Id>> {
  const api = useApiCalls();
  const pages = Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, at) =>
    ids.slice(at * idsAtOnce, (at + 1) * idsAtOnce).filter((one) => one != null),
  ).filter(({ length }) => length > 0);
  const queries = useQueries({
    queries: pages.map((some) => apiQueryOptions(api, id, { ids: [...new Set(some)].join(',') } as Input<Id>)),
  });
  const [known] = useState(() => new Map<number, EntryOf<Id>>());
  for (const { data } of queries) for (const entry of data?.data ?? []) known.set(entry.id, entry as EntryOf<Id>);
  return known;
}

/** The loaded part of a list that continues by cursor. */
export interface LoadedPages<Entry> {
  readonly entries: readonly Entry[];
  readonly pages: number;
}

interface ListOptions<Id extends CursorListId> extends Pick<ReadOptions, 'enabled'> {
  /** Milliseconds between requests, as for `useApi`, for each loaded page. */
  readonly refetchInterval?: number;
  /** Inputs whose lists follow one another, each from its end, because the API lists the oldest first. */
  readonly parts?: readonly Partial<Input<Id>>[] | undefined;
  /** Whether to load another page without a click: with a filter that matches little, a page may be empty. */
  readonly loadsWhile?: (loaded: LoadedPages<EntryOf<Id>>) => boolean;
}

type PageOf<Id extends CursorListId> = { readonly data: readonly EntryOf<Id>[]; readonly nextCursor: string | null };
type Position = { readonly part: number; readonly cursor: string };

/** The query options of a list that continues by cursor, as for `apiQueryOptions`. */
export function apiListOptions<Id extends CursorListId>(
  { mode, call }: Api,
  id: Id,
  input: Input<Id>,
  parts?: readonly Partial<Input<Id>>[],
) {
  return {
    queryKey: [mode, id, input, 'pages', parts],
    queryFn: ({
      signal,
      pageParam: { part, cursor },
    }: {
      readonly signal: AbortSignal;
      readonly pageParam: Position;
    }) =>
      call(id, { ...input, ...parts?.[part], ...(cursor && { cursor }) } as Input<Id>, {
        signal,
      }) as Promise<unknown> as Promise<PageOf<Id>>,
    initialPageParam: { part: 0, cursor: '' },
    getNextPageParam: ({ nextCursor: cursor }: PageOf<Id>, _: unknown, { part }: Position) => {
      if (cursor) return { part, cursor };
      return parts && part + 1 < parts.length ? { part: part + 1, cursor: '' } : undefined;
    },
  };
}

/** Reads a list that continues by cursor: `fetchNextPage()` while `hasNextPage`. */
export function useApiList<Id extends CursorListId>(
  id: Id,
  input: Input<Id>,
  { parts, loadsWhile = () => false, refetchInterval = 0, ...options }: ListOptions<Id> = {},
): UseInfiniteQueryResult<LoadedPages<EntryOf<Id>>, ApiError> {
  const list = useInfiniteQuery<PageOf<Id>, ApiError, LoadedPages<EntryOf<Id>>, unknown[], Position>({
    ...apiListOptions(useApiCalls(), id, input, parts),
    select: ({ pages, pageParams }) => {
      const ofParts = [...Map.groupBy(pages, (_, at) => pageParams[at]?.part ?? 0).values()];
      // A part is shown when all its pages are loaded.
      const fromEnd = ofParts.flatMap((some) =>
        some.at(-1)?.nextCursor ? [] : some.flatMap(({ data }) => data).reverse(),
      );
      return { entries: parts ? fromEnd : pages.flatMap(({ data }) => data), pages: pages.length };
    },
    // A long list is requested less often, so that the number of requests in a minute stays the same.
    refetchInterval: ({ state }) => refetchInterval > 0 && refetchInterval * (state.data?.pages.length ?? 1),
    ...options,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const pages = data?.pages ?? 0;
  const isWanted = options.enabled !== false && data !== undefined && loadsWhile(data);
  const isReady = hasNextPage && !isFetching && !isError;
  // `pages` is a dependency, because a hidden tab may render a request and its response at once.
  useEffect(() => {
    if (isWanted && isReady && pages > 0) void fetchNextPage();
  }, [isWanted, isReady, pages, fetchNextPage]);
  return list;
}

interface ApiMutationOptions<Id extends MutationId> {
  /** Whether the user leaves the screen, so that its data is not loaded again. Default: false. */
  readonly leaves?: boolean;
  /** Both callbacks are called even if the component is unmounted. */
  onSuccess?(answer: Answer<Id>): void;
  onError?(error: ApiError): void;
}

type ApiMutation<Id extends MutationId> = UseMutationResult<Answer<Id>, ApiError, Input<Id>> & {
  /** Whether a request waits for its response. `isPending` is still true while `onSuccess` runs. */
  isSending(): boolean;
};

/**
 * Sends a change, and then reloads all shown data, because only the server knows what a change affects. The data is
 * also reloaded if a change may have taken effect, or was refused because the data has changed elsewhere. A change
 * without a decision keeps its idempotency key, so that repeating it has no second effect.
 */
export function useApiMutation<Id extends MutationId>(
  id: Id,
  { leaves = false, onSuccess, onError }: ApiMutationOptions<Id> = {},
): ApiMutation<Id> {
  const { mode, call } = useApiCalls();
  const queries = useQueryClient();
  const sending = useRef(false);
  const unanswered = useRef<{ readonly of: string; readonly idempotencyKey: string }>(undefined);
  const reload = (refetchType: 'active' | 'none' = 'active') =>
    void queries.invalidateQueries({ queryKey: [mode], refetchType });
  const mutation = useMutation<Answer<Id>, ApiError, Input<Id>>({
    mutationKey: [mode, id],
    mutationFn: async (input) => {
      const of = hashKey([input]);
      if (unanswered.current?.of !== of) unanswered.current = { of, idempotencyKey: crypto.randomUUID() };
      const { idempotencyKey } = unanswered.current;
      sending.current = true;
      const answer = await call(id, input, { idempotencyKey })
        .catch((error) => {
          // It is deleted already, perhaps by an earlier attempt whose response was lost.
          if (error.code === 'not_found' && operations[id].method === 'DELETE') return undefined as Answer<Id>;
          throw error;
        })
        .finally(() => {
          sending.current = false;
        });
      unanswered.current = undefined;
      return answer;
    },
    onError: (error) => {
      if (!error.isUndecided) unanswered.current = undefined;
      if (error.isConflict || error.isPassing) reload();
      onError?.(error);
    },
    onSuccess: (answer) => {
      reload(leaves ? 'none' : 'active');
      onSuccess?.(answer);
    },
  });
  return { ...mutation, isSending: () => sending.current };
}
