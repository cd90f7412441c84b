/** The key with which `npm run listen` reads the events of a local run's sandbox. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { modeHeader } from '../contract/modes.ts';
import { accountPrefix, integrationPrefix } from '../contract/prefixes.ts';
import { scopeNames } from '../contract/scopes.ts';
import { localOwnerToken } from './local-owner.ts';

/** Returns a key for the sandbox of the local run at this address: the one in the file, unless the run refuses it. */
export async function localKey(run: string, file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  const response = await fetch(`${run}${integrationPrefix}/webhooks`, {
    headers: { 'X-API-Key': known },
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  if (!response) throw new Error(`No local run answers at ${run}. Start one with npm start, or give --url and --key.`);
  // A new key has no webhook yet, so a kept one is used even if the run is too busy to answer now.
  if (known !== '' && response.status !== 401) return known;
  const answer = await fetch(`${run}${accountPrefix}/api-keys`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await localOwnerToken(run)}`,
      'Content-Type': 'application/json',
      [modeHeader]: 'test',
    },
    body: JSON.stringify({ name: 'listen', scopes: scopeNames }),
  });
  const { key, message } = (await answer.json()) as { key?: string; message?: string };
  if (!key) throw new Error(`No test key was created: ${message}`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, key, { mode: 0o600 });
  return key;
}
