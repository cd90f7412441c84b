/** The drill of docs/runbooks/restore.md: tables put back to a moment, and the system goes on from there. */
import { expect, test } from 'vitest';
import { restoreDrill } from '../../local/booking/restore-drill.ts';

test('records and deliveries put back to one moment go on from it: keys, bookings, logs and signatures', async () => {
  expect(await restoreDrill()).toEqual([]);
}, 300_000);

test('twin: records put back without deliveries lose the webhooks, and the drill says so', async () => {
  expect(await restoreDrill({ stores: ['records'] })).toContain('the log of the webhook is that of the moment');
}, 300_000);
