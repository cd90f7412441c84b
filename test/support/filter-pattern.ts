/**
 * CloudWatch's filter patterns of JSON lines, as far as the stacks use them: `=` and `!=` of text with a final `*`, or
 * of a regular expression between `%`; `&&`, `||` and brackets. Anything else throws. A missing field equals nothing.
 */
export function matchesLine(pattern: string, line: Readonly<Record<string, unknown>>): boolean {
  const tokens = pattern.match(/"[^"]*"|%[^%]*%|\$\.\w+|&&|\|\||!=|[^\s]/g) ?? [];
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`${pattern}: ${token ?? 'the end'} instead of ${expected ?? 'more'}`);
    }
    return token;
  };
  const joined = (operator: string, next: () => boolean, combine: (a: boolean, b: boolean) => boolean): boolean => {
    let result = next();
    while (tokens[at] === operator) {
      take();
      result = combine(next(), result);
    }
    return result;
  };
  const either = (): boolean =>
    joined(
      '||',
      () => joined('&&', term, (a, b) => a && b),
      (a, b) => a || b,
    );
  const term = (): boolean => {
    if (tokens[at] === '(') {
      take();
      const result = either();
      take(')');
      return result;
    }
    const value = line[take().slice('$.'.length)];
    const operator = take();
    const operand = take();
    const text = operand.slice(1, -1);
    if (operator !== '=' && operator !== '!=') throw new Error(`${pattern}: ${operator} is not known here`);
    const equals = (): boolean => {
      if (operand.startsWith('%')) return new RegExp(text).test(String(value ?? ''));
      return text.endsWith('*') ? String(value ?? '').startsWith(text.slice(0, -1)) : value === text;
    };
    return equals() === (operator === '=');
  };
  take('{');
  const result = either();
  take('}');
  return result;
}
