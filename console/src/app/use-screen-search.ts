import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchOf, searches } from './search.ts';

/** Returns the search parameters of the screen at this path, a function that changes some, and one that removes all. */
export function useScreenSearch<Path extends keyof typeof searches>(_: Path) {
  const search = useSearch({ strict: false }) as SearchOf<Path>;
  const navigate = useNavigate();
  const change = (changes: SearchOf<Path>, { replace = false } = {}) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...(changes as object) }), replace, resetScroll: false });
  const clear = () => void navigate({ to: '.', search: {} });
  return [search, change, clear] as const;
}
