import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  /** Comes inside another package, which npm takes as it is. */
  readonly inBundle?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test('the lock file knows the packages of every platform: npm ci refuses one that knows only this one', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const missing = Object.entries(packages).flatMap(([path, { inBundle, optionalDependencies = {} }]) =>
    Object.keys(inBundle ? {} : optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});
