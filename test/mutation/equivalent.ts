/**
 * Mutants that nobody can notice, each with the reason: what it changes is not what anybody gets. They are known by
 * their file and by the code before and after, as `npm run mutate` prints it, and not by where that stands.
 */
export interface Equivalent {
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

export const equivalent: Readonly<Record<string, readonly Equivalent[]>> = {
  'core/limits/windows.ts': [
    {
      before: 'const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? [];',
      after: 'const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? ["Stryker was here"];',
      why: 'the first item of a match is not read',
    },
  ],
  'local/cloud/event-pattern.ts': [
    {
      before: "else for (const matcher of expected) matchesValue(matcher, '');",
      after: 'else for (const matcher of expected) matchesValue(matcher, "Stryker was here!");',
      why: 'any value does: whether it matches is not asked',
    },
  ],
};
