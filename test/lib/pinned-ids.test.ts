import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import pinned from '../../lib/pinned-ids.json' with { type: 'json' };
import { changedIds, idsOf } from '../../lib/pinned-ids.ts';
import { Assembly, synthesised, temporaryFolder } from '../support/synthesised.ts';

const prod = await synthesised('prod');
const current = idsOf(prod);

test('No resource that must not be replaced has another logical id than the one that `npm run operate -- pin` recorded', () => {
  expect(
    changedIds(pinned, current),
    'If each of these changes is intended, run `npm run operate -- pin`, and commit lib/pinned-ids.json',
  ).toEqual([]);
});

test('Negative control: the check of logical ids reports changed ids, and missing or new tables', () => {
  const [table = ''] = Object.keys(current).filter((what) => what.includes('GlobalTable'));
  const [named = ''] = Object.keys(current).filter((what) => what.includes('Function'));
  const { [table]: _, ...without } = current;
  expect(changedIds(current, without)).toEqual([`${table} is gone.`]);
  expect(changedIds(without, current)).toEqual([`${table} is not pinned.`]);
  expect(changedIds({ ...current, [named]: 'Old' }, current)).toEqual([`${named} was Old and is ${current[named]}.`]);
});

test('Negative control: the check of logical ids reports a changed key schema, because CloudFormation would replace the table', async () => {
  const folder = temporaryFolder('replaced');
  cpSync(prod.folder, folder, { recursive: true });
  const file = join(folder, 'Data.template.json');
  const template = readFileSync(file, 'utf8');
  writeFileSync(file, template.replaceAll(/"AttributeName": ?"pk"/g, '"AttributeName":"key"'));
  expect(readFileSync(file, 'utf8')).not.toBe(template);
  const replaced = changedIds(current, idsOf(new Assembly(folder)));
  expect(replaced.join()).toMatch(/GlobalTable \w+ was \w+ KeySchema: .*"pk".* and is \w+ KeySchema: .*"key"/);
});

test('The check of logical ids accepts new and removed endpoints, but reports a removed rate limit, which blocks deployments', () => {
  const stateless = Object.keys(current).filter((what) => what.includes('::Function '));
  expect(stateless.length).toBeGreaterThan(100);
  const ids = Object.fromEntries(Object.entries(current).filter(([what]) => !stateless.includes(what)));
  expect(changedIds(current, ids)).toEqual([]);
  expect(changedIds(ids, current)).toEqual([]);
  const limited = 'IntegrationApi AWS::ApiGatewayV2::Stage limits of POST /v1/integration/webhooks/{id}/ping';
  const { [limited]: id, ...without } = current;
  expect(id).toBeDefined();
  expect(changedIds(current, without)).toEqual([`${limited} is gone.`]);
});
