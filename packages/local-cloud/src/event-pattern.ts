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

const matchers: Readonly<Record<string, (argument: unknown, value: unknown) => boolean>> = {
  prefix: (argument, value) => typeof value === 'string' && withCase(argument, value, (a, b) => b.startsWith(a)),
  suffix: (argument, value) => typeof value === 'string' && withCase(argument, value, (a, b) => b.endsWith(a)),
  'equals-ignore-case': (argument, value) =>
    typeof value === 'string' && value.toLowerCase() === String(argument).toLowerCase(),
  wildcard: (argument, value) => typeof value === 'string' && wildcard(String(argument)).test(value),
  exists: (argument, value) => (value !== undefined) === argument,
  'anything-but': (argument, value) =>
    value !== undefined &&
    (isRecord(argument)
      ? !matchesValue(argument, value)
      : !(Array.isArray(argument) ? argument : [argument]).includes(value)),
  numeric: (argument, value) => Array.isArray(argument) && inRange(argument, value),
};

function withCase(argument: unknown, value: string, test: (expected: string, value: string) => boolean): boolean {
  if (isRecord(argument) && typeof argument['equals-ignore-case'] === 'string') {
    return test(argument['equals-ignore-case'].toLowerCase(), value.toLowerCase());
  }
  return typeof argument === 'string' && test(argument, value);
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
function inRange(pairs: readonly unknown[], value: unknown): boolean {
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
  return new Error(`the local run does not know this part of an event pattern: ${what}`);
}
