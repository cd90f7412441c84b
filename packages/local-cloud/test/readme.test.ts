import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultKinds } from '../src/faults.ts';
import { resourceKinds } from '../src/resource-kinds.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('The README of local-cloud lists every supported CloudFormation resource type once', () => {
  const listed = [...readme.matchAll(/`((?:AWS|Custom)::[A-Za-z0-9:]+)`/g)].map(([, type]) => type);
  expect(listed.toSorted()).toEqual(resourceKinds.map(({ type }) => type).toSorted());
});

test('The README of local-cloud names every kind of fault that can be injected', () => {
  for (const kind of Object.keys(faultKinds)) expect(readme).toContain(`(\`${kind}\`)`);
});

test('The README of local-cloud names only files that exist', () => {
  const named = [...readme.matchAll(/`([a-z][a-z-]+)`/g)]
    .map(([, name = '']) => name)
    .filter(
      (name) =>
        name.includes('-') &&
        !(name in faultKinds) &&
        !existsSync(new URL(`../../../node_modules/${name}`, import.meta.url)),
    );
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) readFileSync(new URL(`../src/${name}.ts`, import.meta.url));
});
