/**
 * Three readers of a feed (docs/rules.md#feed): two read all the time, and one is away for 29 days. The function that
 * plans, the readers' requests and the readers themselves crash. A reader that continues at `next` reads every event at
 * least once, in the order of numbers.
 */
import { expect, test } from 'vitest';
import type { FeedPage } from '../../contract/integration/resources.ts';
import { readFeed } from '../../core/deliveries/feed/read-feed.ts';
import { parseDeliveryId } from '../../core/deliveries/model/delivery-id.ts';
import type { DeliveryItem } from '../../core/deliveries/model/delivery-record.ts';
import { ApiError } from '../../core/errors.ts';
import { pages } from '../../core/store/read.ts';
import { deliveries } from '../../core/table-keys.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { keyPrincipal } from '../support/principals.ts';
import { manyFaults } from './faults.ts';
import { alikeBusinesses, type PopulationPlan } from './population.ts';
import { Random } from './random.ts';
import { healthy } from './receivers.ts';
import { type Simulation, simulate, startAt } from './simulation.ts';

const minuteMs = 60_000;
/** Records are kept for one more day. */
const awayMs = 29 * 1_440 * minuteMs;
/** The number of events before the absence and again after it, over an hour each. */
const events = 120;
const phaseMs = 60 * minuteMs;
/** The reader leaves in the middle of the first hour. */
const leavesAtMs = phaseMs / 2;

interface Page {
  readonly numbers: readonly number[];
  readonly next: number;
  /** The response was 410 `feed_expired`. */
  readonly expired?: true;
}
type Reading = (webhook: WebhookItem, position: number, limit: number) => Promise<Page>;

const numberOf = ({ headers }: FeedPage['data'][number]) =>
  parseDeliveryId(headers['X-Webhook-Delivery'] ?? '')?.number ?? Number.NaN;

const byNumber: Reading = async ({ id, tenantId, keyId }, after, limit) => {
  try {
    const { data, next } = await readFeed(keyPrincipal(tenantId, keyId), { id }, { after, limit });
    return { numbers: data.map(numberOf), next };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'feed_expired')) throw error;
    return { numbers: [], next: after, expired: true };
  }
};

/** An injected bug: the cursor is a time. */
const byTime: Reading = async ({ id }, after, limit) => {
  const log = await pages<DeliveryItem>('deliveries', {
    KeyConditionExpression: 'pk = :log AND begins_with(sk, :record)',
    ExpressionAttributeValues: { ':log': deliveries.log(id), ':record': 'R#' },
    ConsistentRead: true,
  }).next();
  const recent = (log.value?.items ?? []).filter(({ createdAt }) => Date.parse(createdAt) > after).slice(0, limit);
  const next = Math.max(after, ...recent.map(({ createdAt }) => Date.parse(createdAt)));
  return { numbers: recent.map((record) => record.id), next };
};

class Reader {
  readonly name: string;
  readonly #simulation: Simulation;
  readonly #reading: Reading;
  readonly #random: Random;
  /** The cursor that a restarted process finds. */
  #storedCursor = 0;
  /** All numbers up to this one were read. */
  #through = 0;
  readonly found: string[] = [];
  lost = 0;
  isAway = false;

  constructor(name: string, seed: number, simulation: Simulation, reading: Reading) {
    this.name = name;
    this.#simulation = simulation;
    this.#reading = reading;
    this.#random = new Random(seed, name);
    this.#readAfter(0);
  }

  get #webhook(): WebhookItem {
    const { population, checkers } = this.#simulation;
    const all = checkers.webhooks.ofBusiness(population.businesses[0]?.id ?? 0);
    const webhook = all.find(({ item }) => item.delivery === 'poll');
    if (!webhook) throw new Error('There is a webhook that is read');
    return webhook.item;
  }

  #readAfter(position: number): void {
    const { runtime } = this.#simulation;
    runtime.timeline.in(this.#random.between(1, 30_000), () => {
      if (this.isAway) this.#readAfter(this.#storedCursor);
      else this.#read(position);
    });
  }

  #read(position: number): void {
    const limit = this.#random.between(1, 20);
    this.#simulation.runtime.invoke(
      'reader',
      15_000,
      () => this.#reading(this.#webhook, position, limit),
      (page) => this.#store(position, page),
    );
  }

  #store(position: number, page: Page | undefined): void {
    const random = this.#random;
    if (!page || random.chance(0.1)) {
      this.lost += 1;
      this.#readAfter(position);
      return;
    }
    if (page.expired) this.found.push(`${this.name} got 410 for the events after ${this.#through}`);
    for (const number of page.numbers) {
      if (!(number <= this.#through + 1)) this.found.push(`${this.name} read ${number} after ${this.#through}`);
      this.#through = Math.max(this.#through, number);
    }
    // Otherwise it crashes after it has handled the events and before it has stored the cursor.
    if (random.chance(0.9)) this.#storedCursor = page.next;
    this.#readAfter(this.#storedCursor);
  }

  finish(): void {
    const { lastNumber } = this.#webhook;
    if (this.#through !== lastNumber) this.found.push(`${this.name} came to ${this.#through} of ${lastNumber}`);
  }
}

/** A business with one webhook that is polled and one that is called. */
function feedAndPush(plan: PopulationPlan) {
  let webhooks = 0;
  const put: PopulationPlan['put'] = (store, item) => {
    const isFeed = 'lastNumber' in item && webhooks++ === 0;
    plan.put(store, isFeed ? { ...item, delivery: 'poll', targetUrl: '' } : item);
  };
  return alikeBusinesses({ ...plan, put }, 2, () => healthy, 2);
}

async function history(seed: number, reading: Reading) {
  const readers: Reader[] = [];
  const report = await simulate({
    events: 2 * events,
    seed,
    spanMs: awayMs + 2 * phaseMs,
    rates: { ...manyFaults, crash: 0.01, lostAnswer: 0.02 },
    eventful: false,
    populate: feedAndPush,
    arrive: (simulation) => {
      const { runtime, population, checkers } = simulation;
      const { timeline } = runtime;
      const random = new Random(seed, 'arrivals');
      const [business] = population.businesses;
      if (!business) throw new Error('There is a business');
      const phase = () => {
        for (let i = 0; i < events; i++) timeline.in(random.below(phaseMs), () => simulation.raise(business));
      };
      const away = new Reader('away', seed, simulation, reading);
      readers.push(...['first', 'second'].map((name) => new Reader(name, seed, simulation, reading)), away);
      timeline.in(leavesAtMs, () => {
        away.isAway = true;
      });
      /** Nothing happens for this long; then the reader returns. */
      const pass = () => {
        if (runtime.isBusy || simulation.messages + checkers.events.open.size > 0) {
          timeline.in(100, pass);
          return;
        }
        timeline.advance(startAt + leavesAtMs + awayMs - runtime.now);
        away.isAway = false;
        phase();
      };
      phase();
      timeline.in(2 * phaseMs, pass);
    },
  });
  expect(report.violations).toEqual([]);
  // There are two webhooks.
  expect(report.counts.deliveries).toBe(2 * 2 * events);
  for (const reader of readers) reader.finish();
  return { found: readers.flatMap(({ found }) => found), lost: readers.reduce((sum, { lost }) => sum + lost, 0) };
}

test.each([1, 2])(
  'With seed %i, programs that poll a webhook miss no event, despite lost responses, restarts and 29 days of absence',
  async (seed) => {
    const { found, lost } = await history(seed, byNumber);
    expect(found).toEqual([]);
    expect(lost).toBeGreaterThan(10);
  },
);

test('Negative control: if programs that poll a webhook use a time as cursor, they miss events without an error', async () => {
  const { found } = await history(1, byTime);
  expect(found.filter((one) => one.includes(' read '))).not.toEqual([]);
});
