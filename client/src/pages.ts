/** Lists in both styles of the API: numbered pages with a total, and cursors. */
import type { List, Operation } from './call.ts';
import { ApiError } from './errors.ts';
import type { Input } from './request.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly total?: number;
  readonly nextCursor?: string | null;
  /** In lists ordered by change, the last page has a cursor, too. */
  readonly hasMore?: boolean;
}

interface Progress {
  readonly input: Input;
  readonly page: Page;
  /** The number of entries that were skipped or yielded so far. */
  readonly passed: number;
}

/** Returns the changes of the input for the next page, or `undefined` if there is none. */
const next: Readonly<Record<NonNullable<Operation['pages']>, (progress: Progress) => Input | undefined>> = {
  page: ({ input, page, passed }) =>
    page.data.length > 0 && passed < (page.total ?? 0) ? { page: Number(input.page ?? 1) + 1 } : undefined,
  cursor: ({ input, page: { nextCursor, hasMore } }) => {
    if (nextCursor === null || nextCursor === undefined || hasMore === false) return undefined;
    if (nextCursor !== input.cursor) return { cursor: nextCursor };
    throw new ApiError({
      code: 'unexpected_response',
      message: 'The response contains the cursor of its own request, so the list would never end.',
    });
  },
};

/** The first page is fetched at once and serves both `await` and `for await`. */
export function list(
  style: NonNullable<Operation['pages']>,
  input: Input,
  fetchPage: (input: Input) => Promise<unknown>,
): List<Page> {
  const first = fetchPage(input) as Promise<Page>;
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let at = input;
      let page = await first;
      let passed = (Number(at.page ?? 1) - 1) * Number(at.limit ?? page.data.length);
      for (;;) {
        yield* page.data;
        passed += page.data.length;
        const change = next[style]({ input: at, page, passed });
        if (!change) return;
        at = { ...at, ...change };
        page = (await fetchPage(at)) as Page;
      }
    },
  });
}
