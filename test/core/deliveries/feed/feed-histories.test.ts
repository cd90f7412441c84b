/**
 * Random histories of a feed: planners at the same time that die or lose an answer at any call, and readers who come at
 * any call, lose answers, start again from what they kept, and are two. The invariant: who goes on from `next` reads
 * every message of the webhook at least once, in the order of its numbers.
 */
import { describe, expect, test, vi } from 'vitest';
import { setRuntime } from '../../../../core/clock.ts';
import { readFeed } from '../../../../core/deliveries/feed/read-feed.ts';
import { parseEventMessage } from '../../../../core/deliveries/plan/event-refs.ts';
import { plan } from '../../../../core/deliveries/plan/plan.ts';
import type { Event } from '../../../../core/events/event.ts';
import { log } from '../../../../core/log.ts';
import { Random } from '../../../simulation/random.ts';
import { eventMessage } from '../../../support/pipeline.ts';
import { newFeed, type OwnWebhook, outbox, recordsOf, violations } from '../../../support/pipeline-state.ts';
import { scriptDynamo } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

vi.setConfig({ testTimeout: 120_000 });
const begin = usePipeline();

interface Read {
  readonly number: number;
  readonly eventId: number;
}
/** Reads on from a position: what it got, and the position after it. */
type Reading = (feed: OwnWebhook, position: number, limit: number) => Promise<{ got: readonly Read[]; next: number }>;

const byNumber: Reading = async ({ key, id }, after, limit) => {
  const { data, next } = await readFeed(key, id, { after, limit });
  return { got: data.map(({ number, body }) => ({ number, eventId: JSON.parse(body).eventId })), next };
};

/** The injected bug: a cursor that is a time. What is put later than it was numbered is behind it. */
const byTime: Reading = async ({ webhook }, after, limit) => {
  const later = (await recordsOf(webhook.id)).filter(({ createdAt }) => Date.parse(createdAt) > after).slice(0, limit);
  const got = later.map(({ id, eventId = 0 }) => ({ number: id, eventId }));
  return { got, next: Math.max(after, ...later.map(({ createdAt }) => Date.parse(createdAt))) };
};

async function history(seed: number, reading: Reading): Promise<string[]> {
  const pipeline = begin({ sweeper: false });
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  const random = new Random(seed, 'feed');
  const feed = await newFeed();
  const found: string[] = [];
  const readers = [1, 2].map((name) => ({ name, position: 0, got: [] as Read[] }));
  let isReading = false;
  const read = async () => {
    isReading = true;
    const reader = random.pick(readers);
    const { got, next } = await reading(feed, reader.position, random.between(1, 5));
    isReading = false;
    // The answer is lost, or the reader dies before it has kept it.
    if (random.chance(0.2)) return;
    const last = reader.got.at(-1)?.number ?? 0;
    if (got.some(({ number }, i) => number !== last + 1 + i)) found.push(`reader ${reader.name}: after ${last} ${got}`);
    reader.position = next;
    reader.got.push(...got);
  };
  const events: Event[] = [];
  {
    using _ = scriptDynamo([
      {
        when: ({ operation }) => operation === 'BatchExecuteStatement' && !isReading,
        answer: async (call, send) => {
          if (random.chance(0.5) && !isReading) await read();
          if (random.chance(0.2)) throw Object.assign(new Error('lost'), { name: 'InternalServerError' });
          const answer = await send(call.input);
          if (random.chance(0.5) && !isReading) await read();
          if (random.chance(0.15)) throw Object.assign(new Error('answer lost'), { name: 'InternalServerError' });
          return answer;
        },
      },
    ]);
    for (let round = 0; round < 6; round++) {
      for (let i = random.between(1, 4); i > 0; i--) events.push(await pipeline.raise(feed.tenantId));
      pipeline.loseStream();
      setRuntime({ now: () => pipeline.now, sleep: async () => pipeline.advance(1) });
      const planners = Array.from({ length: 3 }, () => {
        const some = events.filter(() => random.chance(0.6));
        return Promise.allSettled(plan(some.map((event) => parseEventMessage(eventMessage(event)))));
      });
      await Promise.all(planners);
      pipeline.advance(1_000);
    }
  }
  while ((await outbox()).length > 0) {
    await Promise.allSettled(plan(events.map((event) => parseEventMessage(eventMessage(event)))));
  }
  for (let i = 0; i < 100; i++) await read();
  found.push(...(await violations(pipeline, feed, events)));
  for (const { name, got } of readers) {
    const seen = new Set(got.map(({ eventId }) => eventId));
    const missed = events.filter(({ id }) => !seen.has(id));
    if (missed.length > 0) found.push(`reader ${name} missed ${missed.length} events`);
  }
  return found;
}

describe('readers of a feed while planners crash', () => {
  test.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    'Every reader of a feed reads every message once and in order while planners crash, in the random history %i',
    async (seed) => {
      expect(await history(seed, byNumber)).toEqual([]);
    },
  );

  test('Negative control: if the cursor of a feed is a time, a reader misses messages or reads them out of order', async () => {
    const found: string[] = [];
    for (let seed = 1; seed <= 12; seed++) found.push(...(await history(seed, byTime)));
    expect(found.filter((one) => one.startsWith('reader'))).not.toEqual([]);
  });
});
