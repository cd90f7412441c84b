/** Which rows have a test of their behaviour, read off the code of handlers and tests once comments are gone. */
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';

export interface Source {
  /** From the root of the project. */
  readonly path: string;
  readonly code: string;
}

export interface Row {
  readonly operation: string;
  readonly method: string;
  /** Below the prefix of its API. */
  readonly path: string;
}

/** What the code of a file uses. Comments, types and imports that are not used are dropped before anything is read. */
interface Uses {
  /** `core/catalog/read.ts#getStaffMember`: everything that is imported from a file of the project. */
  readonly names: ReadonlySet<string>;
  /** The first argument of every call, where it is a text: `owner('createService')`. */
  readonly called: ReadonlySet<string>;
  /** `POST /bookings/*`: a method and a path that are arguments of one call. */
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
 * The operations of which no test uses the verb or requests method and path, or calls them by name where tests of that
 * API do so.
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
