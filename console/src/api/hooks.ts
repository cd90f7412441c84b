/** Calls as components make them: answers that are kept and shared, lists that go on, and changes. */
import {
  hashKey,
  keepPreviousData,
  QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, use, useEffect, useRef } from 'react';
import type { Answer, Api, Input, OperationId } from './call.ts';
import { ApiError } from './errors.ts';
import type { operations } from './operations.gen.ts';

type OfMethod<Method> = {
  [Id in OperationId]: (typeof operations)[Id]['method'] extends Method ? Id : never;
}[OperationId];

/** What only reads. */
export type ReadId = OfMethod<'GET'>;
/** What changes something. */
export type ChangeId = Exclude<OperationId, ReadId>;
/** Lists that go on by cursor. */
export type CursorListId = {
  [Id in ReadId]: Answer<Id> extends { data: readonly unknown[]; nextCursor: string | null } ? Id : never;
}[ReadId];

export type EntryOf<Id extends CursorListId> = Answer<Id> extends { data: readonly (infer Entry)[] } ? Entry : never;

export const ApiContext = createContext<Api | undefined>(undefined);

export function useApiCalls(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error('There is no API above this component.');
  return api;
}

const passingFailuresRetried = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < passingFailuresRetried && error instanceof ApiError && error.isPassing,
      },
      // A change is sent again by whoever made it, who sees that it failed. Its answer may hold a secret: it goes with the screen.
      mutations: { retry: false, gcTime: 0 },
    },
  });
}

/** What is asked, and what its answer is kept as. */
export function question<Id extends ReadId>({ mode, call }: Api, id: Id, input: Input<Id>) {
  return {
    queryKey: [mode, id, input],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(id, input, { signal }),
  };
}

export interface ReadOptions<Data = unknown> {
  /** Default: true. */
  readonly enabled?: boolean;
  /** Milliseconds between looks, while the page is seen. Default: none but when the window comes back. */
  readonly refetchInterval?: number | false;
  /** The same, of what the last answer says. */
  readonly refetchWhile?: (data: Data) => number | false;
  /** Show the last answer while another one, to another input, is under way. */
  readonly keepPrevious?: boolean;
}

/** An answer: shared by all who ask the same, asked for again when it is older than ten seconds and looked at again. */
export function useApi<Id extends ReadId>(
  id: Id,
  input: Input<Id>,
  { keepPrevious, refetchWhile, ...options }: ReadOptions<Answer<Id>> = {},
): UseQueryResult<Answer<Id>, ApiError> {
  return useQuery<Answer<Id>, ApiError>({
    ...question(useApiCalls(), id, input),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(refetchWhile && {
      refetchInterval: ({ state }: { readonly state: { readonly data: Answer<Id> | undefined } }) =>
        state.data !== undefined && refetchWhile(state.data),
    }),
    ...options,
  });
}

export interface CursorList<Entry> {
  readonly entries: readonly Entry[];
  /** So many answers they came in. */
  readonly pages: number;
}

export interface ListOptions extends Omit<ReadOptions, 'keepPrevious' | 'refetchWhile'> {
  /** Goes on by itself for so many pages: of a filter that matches little, a page may hold nothing. Default: 1. */
  readonly pagesAtOnce?: number;
}

/** A list that goes on by cursor, page after page: `fetchNextPage()` while `hasNextPage`. */
export function useApiList<Id extends CursorListId>(
  id: Id,
  input: Input<Id>,
  { pagesAtOnce = 1, ...options }: ListOptions = {},
): UseInfiniteQueryResult<CursorList<EntryOf<Id>>, ApiError> {
  const { mode, call } = useApiCalls();
  type Page = { readonly data: readonly EntryOf<Id>[]; readonly nextCursor: string | null };
  const list = useInfiniteQuery<Page, ApiError, CursorList<EntryOf<Id>>, unknown[], string>({
    queryKey: [mode, id, input, 'pages'],
    queryFn: ({ signal, pageParam }) =>
      call(id, { ...input, ...(pageParam && { cursor: pageParam }) } as Input<Id>, {
        signal,
      }) as Promise<unknown> as Promise<Page>,
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    select: ({ pages }) => ({ entries: pages.flatMap(({ data }) => data), pages: pages.length }),
    ...options,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const pages = data?.pages ?? 0;
  const goesOn = hasNextPage && !isFetching && !isError && pages > 0;
  // By the number of pages as well: a hidden tab may be told of a question and its answer at once.
  useEffect(() => {
    if (goesOn && pages < pagesAtOnce) void fetchNextPage();
  }, [goesOn, pages, pagesAtOnce, fetchNextPage]);
  return list;
}

export interface ChangeOptions {
  /** What is shown goes with the change: the next screen asks, and this one no more. Default: no. */
  readonly leaves?: boolean;
}

/**
 * A change. When it is done, everything that is shown is asked for again: what a change touches is the server's to know.
 * One that was sent and not answered keeps its idempotency key, so that the same change sent again is made once.
 */
export function useChange<Id extends ChangeId>(
  id: Id,
  { leaves = false }: ChangeOptions = {},
): UseMutationResult<Answer<Id>, ApiError, Input<Id>> {
  const { mode, call } = useApiCalls();
  const queries = useQueryClient();
  const unanswered = useRef<{ readonly of: string; readonly idempotencyKey: string }>(undefined);
  return useMutation<Answer<Id>, ApiError, Input<Id>>({
    mutationKey: [mode, id],
    mutationFn: async (input) => {
      const of = hashKey([input]);
      if (unanswered.current?.of !== of) unanswered.current = { of, idempotencyKey: crypto.randomUUID() };
      const answer = await call(id, input, { idempotencyKey: unanswered.current.idempotencyKey });
      unanswered.current = undefined;
      return answer;
    },
    onError: (error) => {
      if (!error.isPassing) unanswered.current = undefined;
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [mode], refetchType: leaves ? 'none' : 'active' });
    },
  });
}
