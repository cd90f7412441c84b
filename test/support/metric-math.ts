/**
 * CloudWatch's metric math, as far as the alarms use it: numbers, names, `+ - * /`, `<` and `>=`, `OR`, `IF`, `SUM` and
 * `MAX` of a list, `FILL`. Anything else throws, so that no alarm passes a test by mistake.
 */

/** The value in one period; undefined where the metric has no data. */
type Value = number | undefined;
type Term = Value | readonly Value[];

const operators: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { OR: (a, b) => Number(a !== 0 || b !== 0) },
  { '<': (a, b) => Number(a < b), '>=': (a, b) => Number(a >= b) },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => a / b },
];

const functions: Readonly<Record<string, (...terms: Term[]) => Value>> = {
  SUM: (list) => over(list, (some) => some.reduce((all, one) => all + one, 0)),
  MAX: (list) => over(list, (some) => Math.max(...some)),
  FILL: (value, filling) => single(value) ?? single(filling),
  IF: (condition, then, otherwise) => {
    const holds = single(condition);
    if (holds === undefined) return undefined;
    return single(holds !== 0 ? then : otherwise);
  },
};

/** Functions of a list ignore missing values. */
function over(list: Term, combine: (some: readonly number[]) => number): Value {
  if (typeof list !== 'object') throw new Error('SUM and MAX of one series are not known here');
  const there = list.filter((one) => one !== undefined);
  return there.length === 0 ? undefined : combine(there);
}

function single(term: Term): Value {
  if (typeof term === 'object') throw new Error('A list where a number belongs');
  return term;
}

export function evaluateExpression(expression: string, lookUp: (name: string) => Value): Value {
  const tokens = expression.match(/[A-Za-z]\w*|\d+(?:\.\d+)?|>=|[^\s]/g) ?? [];
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`${expression}: ${token ?? 'the end'} instead of ${expected ?? 'more'}`);
    }
    return token;
  };
  const listUntil = (end: string): Term[] => {
    const terms = [level(0)];
    while (tokens[at] === ',') {
      take();
      terms.push(level(0));
    }
    take(end);
    return terms;
  };

  function level(depth: number): Term {
    const known = operators[depth];
    if (!known) return primary();
    let left = level(depth + 1);
    for (let apply = known[tokens[at] ?? '']; apply; apply = known[tokens[at] ?? '']) {
      take();
      const [a, b] = [single(left), single(level(depth + 1))];
      left = a === undefined || b === undefined ? undefined : apply(a, b);
    }
    return left;
  }

  function primary(): Term {
    const token = take();
    if (token === '[') return listUntil(']').map(single);
    if (token === '(') return listUntil(')')[0];
    if (/^\d/.test(token)) return Number(token);
    const call = functions[token];
    if (call) {
      take('(');
      return call(...listUntil(')'));
    }
    if (!/^m\d+$/.test(token)) throw new Error(`${expression}: ${token} is not known here`);
    return lookUp(token);
  }

  const result = single(level(0));
  if (at < tokens.length) throw new Error(`${expression}: ${tokens[at]} is not known here`);
  return result;
}
