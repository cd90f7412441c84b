/** The erasure of a client on the running system is complete within a minute (docs/rules.md#erasure). */
import { beforeAll, describe, expect, test } from 'vitest';
import { erasedClient } from '../../support/erased-client.ts';
import type { Journeys } from '../../support/local.ts';

export const erasure: Journeys = (local) =>
  describe('the erasure of a client', () => {
    const logged: string[] = [];
    beforeAll(() => void local().run.log.subscribe(({ text }) => logged.push(text)));

    test('After a client was erased, no table, queue, log or response contains data of this client', async () => {
      const { leaks } = await erasedClient(local(), logged);
      await expect.poll(() => leaks(), { interval: 1_000 }).toEqual([]);
    });
  });
