/** The pattern language that EventBridge rules and event source filters share. Pure. */

export type Pattern = Readonly<Record<string, unknown>>;

/** Whether the event has what the pattern asks for. A pattern with an unknown matcher throws: see `checkPattern`. */
export function matches(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const actual = isRecord(event) ? event[field] : undefined;
    if (isRecord(expected)) {
      return Array.isArray(actual) ? actual.some((item) => matches(expected, item)) : matches(expected, actual);
    }
    if (!Array.isArray(expected)) throw unknown(field);
    // An array in the event matches when one of its items does.
    const values = Array.isArray(actual) ? actual : [actual];
    return expected.some((matcher) => values.some((value) => matchesValue(matcher, value)));
  });
}

/** Throws when the pattern holds a matcher that is not known here. */
export function checkPattern(pattern: Pattern): void {
  for (const [field, expected] of Object.entries(pattern)) {
    if (isRecord(expected)) checkPattern(expected);
    else if (!Array.isArray(expected)) throw unknown(field);
    else for (const matcher of expected) matchesValue(matcher, '');
  }
}

function matchesValue(matcher: unknown, value: unknown): boolean {
  if (!isRecord(matcher)) return matcher === value;
  const { prefix, ...others } = matcher;
  if (typeof prefix !== 'string' || Object.keys(others).length > 0) throw unknown(Object.keys(matcher).join(', '));
  return typeof value === 'string' && value.startsWith(prefix);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknown(what: string): Error {
  return new Error(`the local run does not know this part of an event pattern: ${what}`);
}
