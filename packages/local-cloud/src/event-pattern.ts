/** The pattern language that EventBridge rules and event source filters share. Pure. */

export type Pattern = Readonly<Record<string, unknown>>;

/** Returns whether the event matches the pattern. Throws for an unknown matcher: see `checkPattern`. */
export function matches(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    if (field === '$or') return Array.isArray(expected) && expected.some((part) => matches(part as Pattern, event));
    const actual = isRecord(event) ? event[field] : undefined;
    if (isRecord(expected)) {
      return Array.isArray(actual) ? actual.some((item) => matches(expected, item)) : matches(expected, actual);
    }
    if (!Array.isArray(expected)) throw unknown(field);
    // An array in the event matches if one of its items does.
    const values = Array.isArray(actual) ? actual : [actual];
    return expected.some((matcher) => values.some((value) => matchesValue(matcher, value)));
  });
}

/** Throws if the pattern contains an unknown matcher. */
export function checkPattern(pattern: Pattern): void {
  for (const [field, expected] of Object.entries(pattern)) {
    if (field === '$or' && Array.isArray(expected)) for (const part of expected) checkPattern(part as Pattern);
    else if (isRecord(expected)) checkPattern(expected);
    else if (!Array.isArray(expected)) throw unknown(field);
    else for (const matcher of expected) matchesValue(matcher, '');
  }
}

function matchesValue(matcher: unknown, value: unknown): boolean {
  if (!isRecord(matcher)) return matcher === value;
  const [entry, more] = Object.entries(matcher);
  const test = entry && matchers[entry[0]];
  if (!test || more) throw unknown(Object.keys(matcher).join(', '));
  return test(entry[1], value);
}

type Matcher = (argument: unknown, value: unknown) => boolean;

const textMatchers: Readonly<Record<string, Matcher>> = {
  prefix: withCase((text, value) => value.startsWith(text)),
  suffix: withCase((text, value) => value.endsWith(text)),
  'equals-ignore-case': ofText((text, value) => value.toLowerCase() === text.toLowerCase()),
  wildcard: ofText((text, value) => wildcard(text).test(value)),
};

const matchers: Readonly<Record<string, Matcher>> = {
  ...textMatchers,
  exists: (argument, value) => (value !== undefined) === argument,
  'anything-but': (argument, value) => {
    const results = excluded(argument).map((matcher) => matchesValue(matcher, value));
    return value !== undefined && !results.includes(true);
  },
  numeric: inRange,
};

/** The values that `anything-but` excludes, or its matcher of text, which may have a list of texts only here. */
function excluded(argument: unknown): unknown[] {
  if (!isRecord(argument)) return [argument].flat();
  const [name = '', more] = Object.keys(argument);
  if (!(name in textMatchers) || more) throw unknown(`anything-but ${Object.keys(argument).join(', ')}`);
  return [argument[name]].flat().map((text) => ({ [name]: text }));
}

function ofText(test: (text: string, value: string) => boolean): Matcher {
  return (argument, value) => {
    if (typeof argument !== 'string') throw unknown(JSON.stringify(argument));
    return typeof value === 'string' && test(argument, value);
  };
}

function withCase(test: (text: string, value: string) => boolean): Matcher {
  const exact = ofText(test);
  const ignoringCase = ofText((text, value) => test(text.toLowerCase(), value.toLowerCase()));
  return (argument, value) =>
    isRecord(argument) ? ignoringCase(argument['equals-ignore-case'], value) : exact(argument, value);
}

function wildcard(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[\\s\\S]*')}$`);
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** Checks all comparisons whatever the value is, because `checkPattern` has no value. */
function inRange(pairs: unknown, value: unknown): boolean {
  if (!Array.isArray(pairs)) throw unknown(`numeric ${JSON.stringify(pairs)}`);
  let holds = typeof value === 'number';
  for (let i = 0; i < pairs.length; i += 2) {
    const compare = comparisons[String(pairs[i])];
    if (!compare) throw unknown(`numeric ${String(pairs[i])}`);
    holds &&= compare(Number(value), Number(pairs[i + 1]));
  }
  return holds;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknown(what: string): Error {
  return new Error(`the local run does not support this part of an event pattern: ${what}`);
}
