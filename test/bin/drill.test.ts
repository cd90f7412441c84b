/** The drill of docs/runbooks/restore.md: tables put back to a moment, and the system goes on from there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginDrill, type Drill } from '../../local/restore-drill.ts';
import { sharedAssembly } from '../support/assembly.ts';

const timeout = 300_000;
let drill: Drill;
beforeAll(async () => {
  drill = await beginDrill({ assemblyDir: await sharedAssembly() });
}, timeout);
afterAll(() => drill.end());

test(
  'The restore drill restores both tables to one moment, and API keys, bookings and webhooks work afterwards',
  async () => {
    expect(await drill.putBack()).toEqual([]);
  },
  timeout,
);

test(
  'Negative control: if only the records table is restored, the restore drill reports lost webhooks',
  async () => {
    expect(await drill.putBack(['records'])).toContain('the log of the webhook is that of the moment');
  },
  timeout,
);
