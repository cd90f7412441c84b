/** A crash at any effect causes no lost, duplicate or early delivery, and no seventh attempt. */
import { expect, test } from 'vitest';
import { webhooksOfBusiness } from '../../../../core/webhooks/registry/store.ts';
import type { Functions } from '../../../support/functions.ts';
import { ok, type PipelineOptions, refused } from '../../../support/pipeline.ts';
import { newTenant, violations } from '../../../support/pipeline-state.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

/** Two webhooks, two events; each delivery fails once and succeeds at the second attempt. */
async function story(options: PipelineOptions, size = 2): Promise<{ crashed: boolean; found: string[] }> {
  const pipeline = begin({ answer: (_, nth) => (nth === 1 ? refused : ok), ...options });
  const tenant = await newTenant(size);
  const events = await pipeline.raiseMany(tenant.tenantId, size);
  await pipeline.run();
  return { crashed: pipeline.crashed, found: await violations(pipeline, tenant, events) };
}

/** Crashes at the first effect, then in a new run at the second, and so on; stops at the first violation. */
async function everyCrash(when: 'before' | 'after', options: PipelineOptions = {}, size = 2): Promise<string[]> {
  for (let at = 1; ; at++) {
    const { crashed, found } = await story({ ...options, crash: { at, when } }, size);
    if (found.length > 0) return found;
    if (!crashed) {
      expect(at, 'a story has many effects').toBeGreaterThan(10);
      return [];
    }
  }
}

for (const when of ['before', 'after'] as const) {
  test(`A process crash ${when} any write, queue message or webhook request loses no delivery`, async () => {
    expect(await everyCrash(when)).toEqual([]);
  });

  test(`A crash ${when} any write, queue message or webhook request loses no delivery, even without the search for lost ones`, async () => {
    expect(await everyCrash(when, { sweeper: false })).toEqual([]);
  });

  test(`A process crash ${when} any write, queue message or webhook request never causes a seventh attempt of a delivery`, async () => {
    expect(await everyCrash(when, { answer: () => refused }, 1)).toEqual([]);
  });
}

test('Negative control: if a queue message is deleted before the message for the retry is sent, a crash loses a delivery', async () => {
  expect(await everyCrash('before', { acknowledgeFirst: true })).not.toEqual([]);
});

test('Negative control: if an event leaves the outbox before its queue messages are sent, a crash loses a delivery', async () => {
  const functions = (real: Functions): Partial<Functions> => ({
    plan: async (event, context) => {
      const fresh: typeof event.Records = [];
      for (const record of event.Records) {
        const [{ id, tenantId }] = JSON.parse(record.body).detail.events;
        const webhooks = await webhooksOfBusiness(tenantId);
        if (!webhooks.some(({ claims }) => claims?.[id])) fresh.push(record);
      }
      return real.plan({ Records: fresh }, context);
    },
  });
  expect(await everyCrash('before', { functions, sweeper: false })).not.toEqual([]);
});
