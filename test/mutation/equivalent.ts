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
  'local/cloud/iam.ts': [
    {
      before: "if (Principal === '*') return true;",
      after: 'if (false) return true;',
      why: 'the values of the text are the text, which the next line takes',
    },
    {
      before: "if (Principal === '*') return true;",
      after: 'if (Principal === "") return true;',
      why: 'the values of the text are the text, which the next line takes',
    },
    {
      before: ': (statement.Action ?? []).some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()));',
      after:
        ': (statement.Action ?? ["Stryker was here"]).some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()));',
      why: 'no action has this name',
    },
    {
      before: "const [last = '', set = ''] = written.split(':').reverse();",
      after: `const [last = "Stryker was here!", set = ''] = written.split(':').reverse();`,
      why: 'a text that is split has a last part',
    },
    {
      before: "const [last = '', set = ''] = written.split(':').reverse();",
      after: `const [last = '', set = "Stryker was here!"] = written.split(':').reverse();`,
      why: 'a set operator is told from two others, and by nothing else',
    },
    {
      before: 'globs.set(pattern, known);',
      after: ';',
      why: 'what is not remembered is made again',
    },
  ],
};
