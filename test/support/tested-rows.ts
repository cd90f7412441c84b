/** Finds the rows whose behaviour is tested, from the code of handlers and tests without comments. */
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';

export interface Source {
  /** The path from the root of the project. */
  readonly path: string;
  readonly code: string;
}

export interface Row {
  readonly operation: string;
  readonly method: string;
  /** The path below the prefix of the API. */
  readonly path: string;
}

/** The names and requests that the code of a file uses, without comments, types and unused imports. */
interface Uses {
  /** Imports from files of the project, such as `core/catalog/read.ts#getStaffMember`. */
  readonly names: ReadonlySet<string>;
  /** The first arguments of all calls that are texts: `owner('createService')`. */
  readonly called: ReadonlySet<string>;
  /** Requests such as `POST /bookings/*`: a method and a path that are arguments of one call. */
  readonly requests: ReadonlySet<string>;
}

async function usesOf({ path, code: source }: Source): Promise<Uses> {
  const { code } = await transform(source, {
    loader: 'ts',
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
  });
  const imports = [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*"(\.[^"]*)"/g)];
  const names = imports.flatMap(([, list = '', from = '']) =>
    list.split(',').map((name) => `${join(dirname(path), from)}#${name.trim().split(' as ')[0]}`),
  );
  const called = [...code.matchAll(/\(\s*"(\w+)"/g)].map(([, name = '']) => name);
  const requests = [...code.matchAll(/"(GET|POST|PUT|PATCH|DELETE)",\s*["`](\/[^"`]*)["`]/g)].map(
    ([, method, target = '']) => `${method} ${target.replaceAll(/\$\{[^}]*\}/g, '*').replace(/\?.*/, '')}`,
  );
  return { names: new Set(names), called: new Set(called), requests: new Set(requests) };
}

/**
 * The operations without a test: none uses the verb, requests method and path, or, where tests of that API do so, calls
 * them by name.
 */
export async function untested(
  rows: readonly Row[],
  handlerOf: (row: Row) => Source,
  tests: readonly Source[],
  { byName }: { readonly byName: boolean },
): Promise<string[]> {
  const used = await Promise.all(tests.map(usesOf));
  const verdicts = await Promise.all(
    rows.map(async (row) => {
      const verbs = [...(await usesOf(handlerOf(row))).names].filter(
        (name) => !/^(?:core\/http|contract)\//.test(name),
      );
      const request = `${row.method} ${row.path.replaceAll(/:\w+/g, '*')}`;
      const tested = used.some(
        ({ names, called, requests }) =>
          (byName && called.has(row.operation)) || requests.has(request) || verbs.some((verb) => names.has(verb)),
      );
      return tested ? [] : [row.operation];
    }),
  );
  return verdicts.flat();
}
