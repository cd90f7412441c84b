/**
 * Rights shrink one release later than the code. CloudFormation changes the role of a function before its code, and
 * versions share the role. If the new role lacks a right that the released code uses, requests fail during the
 * deployment, and the canary deployment is rolled back (docs/operating.md#deployments).
 *
 * After a release: `RELEASED=true npx vitest run test/lib/released-needs.test.ts` writes down what it needs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectedFunctions } from '../support/expected-functions.ts';

const file = new URL('../../lib/released-needs.json', import.meta.url);

type Released = Readonly<Record<string, string>>;

/** By function: `records:GetItem`, `send:retries`, `publish`. */
function current(): Released {
  return Object.fromEntries(
    expectedFunctions('booking').map(({ name, needs }) => {
      const all = needs.flatMap((one) =>
        Object.entries(one).flatMap(([what, how]) =>
          Array.isArray(how) ? how.map((each) => `${what}:${each}`) : what,
        ),
      );
      return [name, [...new Set(all)].sort().join(' ')];
    }),
  );
}

/** Permissions of the last release that this one lacks, for functions that still exist. */
function shrunk(released: Released, now: Released): string[] {
  return Object.entries(released).flatMap(([name, rights]) => {
    const current = now[name]?.split(' ');
    return current ? rights.split(' ').flatMap((right) => (current.includes(right) ? [] : `${name} ${right}`)) : [];
  });
}

test("Every function keeps all permissions of the last release, because that release's code still runs during a deployment", () => {
  if (process.env.RELEASED === 'true') writeFileSync(file, `${JSON.stringify(current(), null, 2)}\n`);
  const released = JSON.parse(readFileSync(file, 'utf8')) as Released;
  expect(shrunk(released, current()), 'leave these needs in their rows until the next release').toEqual([]);
});

test('Negative control: the check of permissions reports a permission that is removed in the same release as its code', () => {
  const now = current();
  const [name = '', rights = ''] = Object.entries(now).find(([, all]) => all.includes(' ')) ?? [];
  const [taken = '', ...rest] = rights.split(' ');
  expect(shrunk(now, { ...now, [name]: rest.join(' ') })).toEqual([`${name} ${taken}`]);
  expect(shrunk({ 'booking-gone': 'records:GetItem' }, now)).toEqual([]);
  expect(shrunk({}, now)).toEqual([]);
});
