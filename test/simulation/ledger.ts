/**
 * Looks on at everything that happens and says what must not have happened. It takes nothing from the code under test but
 * the shapes of its items: when something is due, what counts, and who gets what is worked out here once more.
 */
import { createHmac } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { limits } from '../../contract/limits.ts';
import { deliveryId } from '../../core/deliveries/delivery-id.ts';
import type { HeadItem, RecordItem } from '../../core/deliveries/records.ts';
import type { OutboxItem } from '../../core/events/event.ts';
import { deliveries } from '../../core/table-keys.ts';
import type { Outcome, SendRequest } from '../../core/webhooks/sender.ts';
import type { WebhookItem } from '../../core/webhooks/webhook.ts';
import type { Change, MemoryDynamo } from './memory-dynamo/memory-dynamo.ts';
import type { Invocation, World } from './world.ts';

export interface Request {
  /** The delivery's next attempt when the request began. */
  readonly attempt: number;
  /** The delivery had moved on since the function began, which may think that it makes an earlier attempt. */
  readonly stale: boolean;
  readonly invocation: Invocation;
  readonly startedAt: number;
  endedAt?: number;
  outcome?: Outcome;
}

/** One delivery, from its planning to its end. */
interface Tracked {
  readonly webhookId: number;
  readonly number: number;
  /** Forgotten at the end. */
  requests: Request[];
  requestCount: number;
  changedAt: number;
  /** Messages that lead to it. */
  messages: number;
}

interface Subscriber {
  item: WebhookItem;
  deleted: boolean;
  readonly createdAt: number;
  /** Of its status, or of the webhook's being there. */
  changedAt: number;
  /** Deliveries that have not ended. */
  open: number;
  /** When its counter was last raised from 0. */
  leftZeroAt: number;
  secrets: { readonly secret: string; readonly since: number }[];
}

export interface LedgerOptions {
  readonly world: World;
  readonly store: MemoryDynamo;
  readonly tables: { readonly records: string; readonly deliveries: string; readonly secrets: string };
  /** Whether an API key is live, and since when. */
  readonly keyState: (keyId: number) => { readonly live: boolean; readonly since: number };
}

/** A delivery that came to its end. */
interface End {
  readonly head: HeadItem;
  readonly errorCode: string | null;
  readonly answeredAt: number;
}

const shownViolations = 20;
/** Of every so many requests the body and the signature. */
const messagesChecked = 4;

type Health = Pick<WebhookItem, 'status' | 'consecutiveFailures'>;

const isHead = (item: unknown): item is HeadItem => typeof item === 'object' && item !== null && 'body' in item;
const isOver = ({ state }: HeadItem) => state === 'success' || state === 'failed';

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #deliveries = new Map<string, Tracked>();
  readonly webhooks = new Map<number, Subscriber>();
  readonly #webhooksOf = new Map<number, Subscriber[]>();
  /** Events in the outbox, and those of them that the bus took. */
  readonly openEvents = new Map<number, { readonly item: OutboxItem; readonly deliveries: Tracked[] }>();
  readonly #published = new Set<number>();
  readonly #plannedFor = new Set<string>();
  readonly violations: string[] = [];
  violationCount = 0;
  readonly counts = {
    events: 0,
    deliveries: 0,
    requests: 0,
    repeated: 0,
    success: 0,
    failed: 0,
    disabled: 0,
    dropped: 0,
    switchedOff: 0,
    latestMs: 0,
  };

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  say(sentence: string): void {
    this.violationCount += 1;
    if (this.violations.length < shownViolations) this.violations.push(sentence);
  }

  get #now(): number {
    return this.#options.world.now;
  }

  /** The webhook's deliveries so far, from the outside. */
  requestsOf(id: string): number {
    return this.#deliveries.get(id)?.requestCount ?? 0;
  }

  /** Deliveries that have not ended, of webhooks that are there. */
  openDeliveries(): number {
    return [...this.webhooks.values()].reduce((sum, { deleted, open }) => sum + (deleted ? 0 : open), 0);
  }

  /** A commit to the store. */
  committed(changes: readonly Change[]): void {
    const { tables } = this.#options;
    const ends: End[] = [];
    for (const { table, before, after } of changes) {
      const pk = String((after ?? before)?.pk);
      const sk = String((after ?? before)?.sk);
      if (table === tables.records && pk.startsWith('OUTBOX#')) {
        this.#outboxChanged(before as OutboxItem | undefined, after as OutboxItem | undefined);
      } else if (table === tables.deliveries && sk.startsWith('R#')) {
        if (isHead(after) && !isHead(before)) this.#planned(after);
        else if (isHead(after)) this.#headChanged(before as unknown as HeadItem, after, changes, ends);
        else if (before) this.say(`the record ${pk} ${sk} changed`);
      } else if (table === tables.secrets) this.#secretChanged(pk, after);
    }
    this.#judge(changes, ends);
  }

  #outboxChanged(before: OutboxItem | undefined, after: OutboxItem | undefined): void {
    if (after) {
      if (before) this.say(`event ${after.id} changed in the outbox`);
      this.openEvents.set(after.id, { item: after, deliveries: [] });
      this.counts.events += 1;
      return;
    }
    const event = before && this.openEvents.get(before.id);
    if (!event) return;
    this.openEvents.delete(before.id);
    this.#published.delete(before.id);
    for (const tracked of event.deliveries) if (tracked.messages === 0) this.#lost(tracked, 'never announced');
    this.#checkComplete(before);
  }

  /** An event leaves the outbox: everybody who was subscribed all the time has it. */
  #checkComplete(event: OutboxItem): void {
    const raisedAt = Date.parse(event.occurredAt);
    for (const { item, deleted, createdAt } of this.#webhooksOf.get(event.businessId) ?? []) {
      const key = this.#options.keyState(item.keyId);
      if (deleted || createdAt > raisedAt || !item.events.includes(event.name)) continue;
      if (!key.live || key.since > raisedAt) continue;
      if (!this.#plannedFor.has(`${event.id} ${item.id}`))
        this.say(`event ${event.id}: webhook ${item.id} was left out`);
    }
  }

  #headChanged(before: HeadItem, after: HeadItem, changes: readonly Change[], ends: End[]): void {
    const { webhookId, id, attempts, state } = after;
    if (before.state === state && before.attempts === attempts && before.dueAt === after.dueAt) return;
    const name = after.deliveryId;
    const tracked = this.#deliveries.get(name);
    if (!tracked) {
      this.say(`${name} changed and was never planned`);
      return;
    }
    tracked.changedAt = this.#now;
    if (isOver(before)) this.say(`${name} ended as ${before.state} and became ${state}`);
    if (attempts !== before.attempts + 1) this.say(`${name}: attempt ${attempts} after ${before.attempts}`);
    if (attempts > limits.deliveryAttempts) this.say(`${name}: a seventh attempt`);
    const record = attempts === 1 ? after : recordIn(changes, name, attempts);
    if (!record) {
      this.say(`${name}: attempt ${attempts} without a record`);
      return;
    }
    const { errorCode } = record;
    if (record.deliveryStatus !== state) this.say(`${name}: recorded as ${record.deliveryStatus}, and is ${state}`);
    const made = tracked.requests.filter(
      ({ attempt, stale, endedAt }) => (stale ? attempt >= attempts : attempt === attempts) && endedAt !== undefined,
    );
    this.#checkReason(after, made, errorCode);
    if (state === 'retrying') this.#checkDue(after, record, made);
    if (attempts > 1 && errorCode !== 'webhook_disabled') {
      if (!made.some(({ startedAt }) => startedAt === Date.parse(record.createdAt))) {
        this.say(`${name}: attempt ${attempts} is recorded for ${record.createdAt}, when nothing was sent`);
      }
    }
    if (!isOver(after)) return;
    const answeredAt = Math.max(0, ...made.map(({ endedAt = 0 }) => endedAt));
    ends.push({ head: after, errorCode, answeredAt });
    const webhook = this.webhooks.get(webhookId);
    if (webhook) webhook.open -= 1;
    tracked.requests = [];
    this.counts[state === 'success' ? 'success' : errorCode === 'webhook_disabled' ? 'disabled' : 'failed'] += 1;
    this.#options.world.trace(`${webhookId} ${id} ${state} ${attempts}`);
  }

  #planned(head: HeadItem): void {
    const { webhookId, id, deliveryId: name, eventId, state } = head;
    if (name !== deliveryId(webhookId, id)) this.say(`${name} is not the id of ${webhookId} ${id}`);
    const tracked = { webhookId, number: id, requests: [], requestCount: 0, changedAt: this.#now, messages: 0 };
    this.#deliveries.set(name, tracked);
    this.counts.deliveries += 1;
    this.openEvents.get(eventId)?.deliveries.push(tracked);
    if (!this.openEvents.has(eventId)) this.say(`${name} was planned for event ${eventId}, which is not in the outbox`);
    const mark = `${eventId} ${webhookId}`;
    if (this.#plannedFor.has(mark)) this.say(`event ${eventId} was planned twice for webhook ${webhookId}`);
    this.#plannedFor.add(mark);
    const webhook = this.webhooks.get(webhookId);
    if (!webhook?.item.events.includes(head.event as never)) this.say(`${name} was not subscribed to`);
    // What the planner read cannot be older than the planner.
    const since = this.#options.world.acting?.startedAt ?? this.#now;
    const wasActive = webhook && (webhook.item.status === 'active' || webhook.changedAt >= since);
    const wasOff = webhook && (webhook.item.status !== 'active' || webhook.changedAt >= since);
    if (state === 'pending' && !wasActive) this.say(`${name} was planned for a webhook that is off`);
    if (webhook && state === 'pending') webhook.open += 1;
    if (state === 'failed') {
      this.counts.disabled += 1;
      if (!wasOff || head.errorCode !== 'webhook_disabled') this.say(`${name} failed before it began`);
    } else if (state !== 'pending' || head.attempts !== 0) this.say(`${name} begins as ${state}`);
  }

  /** An end has its cause: an answer, the last failure, or a switch that was off. */
  #checkReason(
    { deliveryId: name, state, attempts, webhookId, keyId }: HeadItem,
    made: readonly Request[],
    errorCode: string | null,
  ) {
    const answers = made.map(({ outcome }) => outcome);
    const good = (outcome: Outcome | undefined) =>
      outcome?.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
    const bad = (outcome: Outcome | undefined) =>
      outcome !== undefined && !good(outcome) && !('ours' in outcome && outcome.ours);
    if (state === 'success' && !answers.some(good)) this.say(`${name}: success without a 2xx`);
    if (state === 'retrying' && !answers.some(bad)) this.say(`${name}: attempt ${attempts} failed by nobody's fault`);
    if (state !== 'failed') return;
    if (errorCode !== 'webhook_disabled') {
      if (!answers.some(bad)) this.say(`${name}: failed by nobody's fault`);
      if (attempts !== limits.deliveryAttempts) this.say(`${name}: failed after ${attempts} attempts`);
      return;
    }
    const since = this.#options.world.acting?.startedAt ?? this.#now;
    const webhook = this.webhooks.get(webhookId);
    const key = this.#options.keyState(keyId);
    if (webhook?.item.status === 'active' && webhook.changedAt < since && key.live)
      this.say(`${name}: skipped for no reason`);
  }

  /** Section 6.2.6, from the end of the attempt, to the millisecond. */
  #checkDue({ deliveryId: name, attempts, dueAt }: HeadItem, record: RecordItem, made: readonly Request[]): void {
    const delayMs = (limits.retryDelaysSeconds[attempts - 1] ?? Number.NaN) * 1_000;
    if (!made.some(({ endedAt = Number.NaN }) => endedAt + delayMs === dueAt)) {
      this.say(`${name}: attempt ${attempts + 1} is due at ${dueAt}, ${delayMs} ms after no attempt`);
    }
    if (Date.parse(record.nextAttemptAt ?? '') !== dueAt)
      this.say(`${name}: nextAttemptAt says ${record.nextAttemptAt}`);
  }

  #secretChanged(pk: string, after: Change['after']): void {
    const webhook = this.webhooks.get(Number(pk.slice('W#'.length)));
    if (webhook && after)
      webhook.secrets = [...webhook.secrets.slice(-1), { secret: String(after.secret), since: this.#now }];
  }

  /** Counters and switches of the webhooks in a commit, against what the ends in it make of them (section 3.1). */
  #judge(changes: readonly Change[], ends: readonly End[]): void {
    const judged = new Set<number>();
    for (const { table, before, after } of changes) {
      const item = (after ?? before) as WebhookItem | undefined;
      if (table !== this.#options.tables.deliveries || !item?.sk.startsWith('WEBHOOK#')) continue;
      judged.add(item.id);
      const own = ends.filter(({ head }) => head.webhookId === item.id);
      this.#webhookChanged(item, before as WebhookItem | undefined, after === undefined, own);
    }
    for (const end of ends) if (!judged.has(end.head.webhookId)) this.#judgeAlone(end);
  }

  #webhookChanged(item: WebhookItem, before: WebhookItem | undefined, deleted: boolean, ends: readonly End[]): void {
    const webhook = this.webhooks.get(item.id);
    if (!webhook || !before) {
      const created = {
        item,
        deleted,
        createdAt: this.#now,
        changedAt: this.#now,
        leftZeroAt: this.#now,
        open: 0,
        secrets: [],
      };
      this.webhooks.set(item.id, created);
      this.#webhooksOf.set(item.businessId, [...(this.#webhooksOf.get(item.businessId) ?? []), created]);
      return;
    }
    webhook.item = item;
    webhook.deleted = deleted;
    if (deleted || before.status !== item.status) webhook.changedAt = this.#now;
    const reactivated = before.status === 'failed' && item.status === 'active';
    const expected = reactivated ? { status: 'active', consecutiveFailures: 0 } : ends.reduce(afterEnd, before);
    if (item.status !== expected.status || item.consecutiveFailures !== expected.consecutiveFailures) {
      const { status, consecutiveFailures } = item;
      this.say(
        `webhook ${item.id} is ${status} with ${consecutiveFailures} failures, not ${expected.status} with ${expected.consecutiveFailures}`,
      );
    }
    if (before.consecutiveFailures === 0 && item.consecutiveFailures > 0) webhook.leftZeroAt = this.#now;
    if (before.status === 'active' && item.status === 'failed') this.counts.switchedOff += 1;
  }

  /**
   * An end that left its webhook as it was: right if there was nothing to change. A success may have seen the counter at
   * 0 at any moment between its answer and now, because a failure in between is as well a failure after it.
   */
  #judgeAlone({ head, errorCode, answeredAt }: End): void {
    const webhook = this.webhooks.get(head.webhookId);
    if (!webhook || webhook.deleted) return;
    const { item, leftZeroAt } = webhook;
    const expected = afterEnd(item, { head, errorCode });
    if (expected.consecutiveFailures === item.consecutiveFailures) return;
    if (head.state === 'success' && leftZeroAt >= answeredAt) return;
    this.say(
      `webhook ${item.id}: ${head.deliveryId} ended as ${head.state} and its counter stayed ${item.consecutiveFailures}`,
    );
  }

  /** The bus took an event. */
  published(eventId: number): void {
    if (this.openEvents.has(eventId)) this.#published.add(eventId);
  }

  /** The stream's function said that it dealt with an event. */
  relayed(eventId: number): void {
    if (this.openEvents.has(eventId) && !this.#published.has(eventId)) {
      this.say(`event ${eventId} was passed over: the stream's function acknowledged it, and the bus never took it`);
    }
  }

  /** The consumer of the queue of events said that it dealt with an event. */
  eventHandled(body: string): void {
    const { id } = JSON.parse(body).detail;
    if (this.openEvents.has(id)) this.say(`event ${id} was acknowledged before it was planned and announced`);
  }

  messageSent(body: string): void {
    const tracked = this.#trackedBy(body);
    if (tracked) tracked.messages += 1;
    else this.say(`a message for no delivery: ${body}`);
  }

  /** A message is gone. Whatever it was for is done, or another one leads to it. */
  messageHandled(body: string): void {
    const tracked = this.#trackedBy(body);
    if (!tracked) return;
    tracked.messages -= 1;
    if (tracked.messages === 0 && !this.openEventOf(tracked))
      this.#lost(tracked, 'acknowledged before the next step was sure');
  }

  openEventOf(tracked: Tracked): boolean {
    const head = this.#headOf(tracked);
    return head !== undefined && this.openEvents.has(head.eventId);
  }

  #lost(tracked: Tracked, why: string): void {
    const head = this.#headOf(tracked);
    const webhook = this.webhooks.get(tracked.webhookId);
    if (!head || isOver(head) || webhook?.deleted) return;
    this.say(`${head.deliveryId} is lost as ${head.state} after ${head.attempts} attempts: ${why}`);
  }

  #trackedBy(body: string): Tracked | undefined {
    const { webhookId, number } = JSON.parse(body);
    return this.#deliveries.get(deliveryId(webhookId, number));
  }

  #headOf({ webhookId, number }: Tracked): HeadItem | undefined {
    const { store, tables } = this.#options;
    return store.table(tables.deliveries).get(deliveries.record(webhookId, number)) as HeadItem | undefined;
  }

  /** The sender is about to send. Returns what to hand back to `requestEnds`. */
  requestStarts(request: SendRequest): Request {
    const { world } = this.#options;
    const invocation = world.current();
    const name = request.headers['X-Webhook-Delivery'] ?? '';
    const tracked = this.#deliveries.get(name);
    const head = tracked && this.#headOf(tracked);
    if (!tracked || !head) throw new Error(`A request for a delivery that is not there: ${name}`);
    // What the function read cannot be younger than the function.
    const unchanged = tracked.changedAt < invocation.startedAt;
    const made: Request = { attempt: head.attempts + 1, stale: !unchanged, invocation, startedAt: this.#now };
    this.counts.requests += 1;
    if (unchanged && isOver(head)) this.say(`${name}: a request after its end as ${head.state}`);
    if (unchanged && !isOver(head)) {
      if (head.dueAt > this.#now) this.say(`${name}: attempt ${made.attempt} is ${head.dueAt - this.#now} ms early`);
      this.counts.latestMs = Math.max(this.counts.latestMs, this.#now - head.dueAt);
    }
    const webhook = this.webhooks.get(tracked.webhookId);
    if (webhook && webhook.changedAt < invocation.startedAt && (webhook.deleted || webhook.item.status !== 'active')) {
      this.say(`${name}: a request to a webhook that is off`);
    }
    this.#checkRepeat(name, tracked, made);
    this.#checkMessage(request, head, webhook, invocation);
    tracked.requestCount += 1;
    tracked.requests.push(made);
    return made;
  }

  /**
   * One attempt is one request, unless nobody could know of the first: its function failed before it was on record, or
   * was still at it, or the fault was ours and is not recorded.
   */
  #checkRepeat(name: string, { requests }: Tracked, { attempt, invocation }: Request): void {
    const same = requests.filter((earlier) => earlier.attempt === attempt && !earlier.stale);
    if (same.length > 0) this.counts.repeated += 1;
    for (const earlier of same) {
      const known = earlier.endedAt !== undefined && earlier.endedAt < invocation.startedAt;
      const ours = earlier.outcome?.kind === 'failed' && earlier.outcome.ours;
      if (known && !ours && earlier.invocation.outcome === 'done') {
        this.say(`${name}: attempt ${attempt} was made twice`);
      }
    }
  }

  /** The frozen body and its signature, worked out anew with the secret of now; one that was rotated away while the function ran will do. */
  #checkMessage(
    { headers, body }: SendRequest,
    head: HeadItem,
    webhook: Subscriber | undefined,
    { startedAt }: Invocation,
  ): void {
    if (!webhook || this.counts.requests % messagesChecked !== 0) return;
    if (inflateRawSync(head.body).toString() !== body) this.say(`${head.deliveryId}: another body than the frozen one`);
    const allowed = webhook.secrets.filter((_, i, all) => (all[i + 1]?.since ?? startedAt) >= startedAt);
    const signatures = allowed.map(({ secret }) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    if (!signatures.includes(headers['X-Webhook-Signature'] ?? '')) {
      this.say(`webhook ${webhook.item.id}: signed with another secret than the webhook's`);
    }
  }

  requestEnds(request: Request, outcome: Outcome): void {
    request.endedAt = this.#now;
    request.outcome = outcome;
  }

  /** At the end everything has come to its end. */
  finish(): void {
    const { store, tables } = this.#options;
    if (this.openEvents.size > 0) this.say(`${this.openEvents.size} events are still in the outbox`);
    const table = store.table(tables.deliveries);
    for (const webhook of this.webhooks.values()) {
      const { item } = webhook;
      const log = [...table.walk(undefined, deliveries.log(item.id))] as unknown as RecordItem[];
      this.#checkAttempts(webhook, log);
      if (webhook.deleted) continue;
      if (log.length !== item.lastNumber)
        this.say(`webhook ${item.id}: ${log.length} records, last number ${item.lastNumber}`);
      log.forEach(({ id, sk }, i) => {
        if (id !== i + 1 || sk !== deliveries.record(item.id, i + 1).sk)
          this.say(`webhook ${item.id}: record ${i + 1} is ${id}`);
      });
    }
  }

  #checkAttempts({ item, deleted }: Subscriber, log: readonly RecordItem[]): void {
    for (const attempts of Map.groupBy(log, (record) => record.deliveryId).values()) {
      attempts.sort((a, b) => a.attemptNumber - b.attemptNumber);
      const [head] = attempts;
      if (!isHead(head)) {
        this.say(`webhook ${item.id}: ${head?.deliveryId} has no head`);
        continue;
      }
      const { deliveryId: name, state } = head;
      if (!isOver(head)) {
        if (deleted) this.counts.dropped += 1;
        else this.say(`${name} ends as ${state}`);
        continue;
      }
      if (attempts.length !== Math.max(1, head.attempts))
        this.say(`${name}: ${attempts.length} records of ${head.attempts}`);
      attempts.forEach(({ attemptNumber, deliveryStatus }, i) => {
        if (attemptNumber !== i + 1) this.say(`${name}: attempt ${i + 1} is on record as ${attemptNumber}`);
        const expected = i === attempts.length - 1 ? state : 'retrying';
        if (deliveryStatus !== expected) this.say(`${name}: attempt ${i + 1} is on record as ${deliveryStatus}`);
      });
    }
  }
}

/** Section 3.1 with decisions §6. */
function afterEnd(webhook: Health, { head, errorCode }: Pick<End, 'head' | 'errorCode'>): Health {
  if (head.state === 'success') return { status: webhook.status, consecutiveFailures: 0 };
  if (errorCode === 'webhook_disabled' || webhook.status === 'failed') return webhook;
  const consecutiveFailures = webhook.consecutiveFailures + 1;
  const off = consecutiveFailures >= limits.failedDeliveriesToDisable;
  return { status: off ? 'failed' : 'active', consecutiveFailures };
}

function recordIn(changes: readonly Change[], name: string, attempt: number): RecordItem | undefined {
  const records = changes.map(({ after }) => after as RecordItem | undefined);
  return records.find((one) => one?.deliveryId === name && one.attemptNumber === attempt);
}
