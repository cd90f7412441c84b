/** Reads a list that has cursors to its end. */

/** All pages, as `read` returns them for the cursor of the page before. */
export async function pagesOf<T extends { readonly nextCursor: string | null }>(
  read: (cursor?: string) => Promise<T>,
): Promise<T[]> {
  const pages = [await read()];
  for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor) pages.push(await read(next));
  return pages;
}
