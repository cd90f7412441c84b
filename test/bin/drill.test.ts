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
  'records and deliveries put back to one moment go on from it: keys, bookings, logs and signatures',
  async () => {
    expect(await drill.putBack()).toEqual([]);
  },
  timeout,
);

test(
  'negative control: records restored without deliveries lose the webhooks, and the drill reports it',
  async () => {
    expect(await drill.putBack(['records'])).toContain('the log of the webhook is that of the moment');
  },
  timeout,
);
