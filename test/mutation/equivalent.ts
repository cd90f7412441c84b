/**
 * Mutants that nobody can notice, each with the reason: what it changes is not what anybody gets. They are known by
 * their file and by the code before and after, as `npm run mutate` prints it, and not by where that stands.
 */
export interface Equivalent {
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

export const equivalent: Readonly<Record<string, readonly Equivalent[]>> = {};
