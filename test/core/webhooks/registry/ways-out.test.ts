/** Webhooks that are polled, and filters, through the endpoints (docs/rules.md#webhooks). */
import { expect, test } from 'vitest';
import { eventExamples } from '../../../../contract/event-examples.ts';
import { dynamo } from '../../../../core/clients.ts';
import { newId } from '../../../../core/clock.ts';
import { passesFilter } from '../../../../core/webhooks/registry/webhook.ts';
import { at, callRow } from '../../../support/account.ts';
import { issueKey } from '../../../support/api-keys.ts';
import { newFeed, recordsOf } from '../../../support/pipeline-state.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

async function calls() {
  begin();
  const tenantId = newId();
  const key = await issueKey(dynamo(), { tenantId });
  const by = { tenantId, key: key.value };
  return {
    create: (body: object) => callRow({ folder: 'api', operation: 'createWebhook' }, by, { body }),
    update: (id: unknown, body: object) =>
      callRow({ folder: 'api', operation: 'updateWebhook' }, by, { ...at(id), body }),
  };
}

test('A webhook is either pushed to a URL or polled without a URL, and a pushed webhook cannot become a polled one or vice versa', async () => {
  const api = await calls();
  const events = ['booking.created'];
  const filter = { serviceIds: [1], staffIds: [2, 3] };
  const { status, json } = await api.create({ delivery: 'poll', events, filter });
  expect(status).toBe(201);
  expect(json).toMatchObject({ delivery: 'poll', targetUrl: '', filter, status: 'active', feed: { lastNumber: 0 } });
  for (const body of [
    { events },
    { delivery: 'push', events },
    { delivery: 'poll', targetUrl: 'https://a.example/', events },
  ]) {
    expect(await api.create(body)).toMatchObject({ status: 400, json: { details: [{ path: 'targetUrl' }] } });
  }
  expect(await api.update(json.id, { delivery: 'push' })).toMatchObject({ status: 400 });
  expect(await api.update(json.id, { targetUrl: 'https://a.example/' })).toMatchObject({
    status: 400,
    json: { details: [{ path: 'targetUrl', message: 'is allowed only if the delivery of the webhook is push' }] },
  });
  expect(await api.update(json.id, { filter: null })).toMatchObject({ status: 200, json: { filter: null } });
  const tooMany = { serviceIds: Array.from({ length: 51 }, (_, i) => i + 1) };
  expect(await api.update(json.id, { filter: tooMany })).toMatchObject({ status: 400 });
});

test('A webhook filter excludes events about services or staff members that the filter does not name, and no other events', () => {
  const filter = { serviceIds: [1], staffIds: [2] };
  for (const [data, passes] of [
    [{ serviceId: 1, staffId: 2 }, true],
    [{ serviceId: 1, staffId: 9 }, false],
    [{ serviceId: 9, staffId: 2 }, false],
    [{ serviceId: 1, staffId: 9, previousStaffIds: [9, 2] }, true],
    [
      {
        serviceId: 9,
        staffId: 9,
        segments: [
          { serviceId: 9, staffId: 2 },
          { serviceId: 1, staffId: 9 },
        ],
      },
      true,
    ],
    [{ serviceId: 9, staffId: 9, segments: [{ serviceId: 1, staffId: 9 }] }, false],
    [{ staffId: 9 }, false],
    [{ serviceId: 1 }, true],
    [{ clientId: 9 }, true],
  ] as const) {
    expect(passesFilter({ filter }, data), JSON.stringify(data)).toBe(passes);
    expect(passesFilter({ filter: null }, data)).toBe(true);
  }
});

const { serviceId } = eventExamples['service.updated'];

test.each([
  ['another service', serviceId + 1, 0],
  ['this service', serviceId, 1],
])('A webhook gets only events about services that its filter names (it names %s)', async (_, wanted, count) => {
  const pipeline = begin();
  const { tenantId, webhook } = await newFeed({ events: ['service.updated'], filter: { serviceIds: [wanted] } });
  await pipeline.raise(tenantId, 'service.updated');
  await pipeline.run(pipeline.now);
  expect(await recordsOf(webhook.id)).toHaveLength(count);
});
