/** The queue of notices with its function, a fake clock, and a mailbox that replaces Amazon SES. */
import type { NoticeKind } from '../../contract/notice-kinds.ts';
import type { OperationalEventData } from '../../contract/system/operational-events.ts';
import { sqs } from '../../core/clients.ts';
import { newId, setRuntime } from '../../core/clock.ts';
import type { Mail, Post } from '../../core/mail/post-mail.ts';
import { parseNoticeMessage } from '../../core/notices/message.ts';
import { notify } from '../../core/notices/notify.ts';
import { consumer } from '../../core/queue/consumer.ts';
import { lambdaContext } from './http.ts';
import { sendBatch, sqsEvent } from './queue-and-bus.ts';

export interface SentMail extends Mail {
  readonly to: string;
  readonly at: number;
}

interface Waiting {
  readonly body: string;
  readonly dueAt: number;
}

export interface RaisedEvent {
  readonly tenantId: number;
  readonly data: OperationalEventData;
  readonly id?: number;
}

export class NoticeQueue {
  readonly mails: SentMail[] = [];
  /** Bodies of messages that failed and did not succeed later. */
  readonly failed: string[] = [];
  now: number;
  /** The remaining time of an invocation, longer than in the account: a hanging function is not cut off. */
  timeLeftMs = 30_000;
  /** Whether the queue accepts messages of the function. */
  accepts = true;
  /** Replaces the mailbox for the next emails. */
  readonly instead: Post[] = [];
  #waiting: Waiting[] = [];

  /** Takes control of the clock and the queue until `end`. */
  constructor(startAt: number) {
    this.now = startAt;
    setRuntime({ now: () => this.now });
    Object.assign(process.env, { QUEUE_NOTICES: 'https://sqs.invalid/notices', METRICS_NAMESPACE: 'test' });
    Object.assign(sqs(), {
      send: async ({ input: { Entries = [] } }: { input: { Entries?: never[] } }) =>
        sendBatch(
          Entries,
          () => this.accepts,
          (body, delayMs) => this.#waiting.push({ body, dueAt: this.now + delayMs }),
        ),
    });
  }

  end(): void {
    Reflect.deleteProperty(sqs(), 'send');
    setRuntime();
  }

  /** Queues the messages that the bus rule creates, of up to a hundred events each. */
  tell(kind: NoticeKind, events: readonly RaisedEvent[]): void {
    for (let i = 0; i < events.length; i += 100) {
      const raised = events.slice(i, i + 100).map(({ tenantId, data, id = newId() }) => {
        return { id, shard: 0, tenantId, occurredAt: new Date(this.now).toISOString(), data };
      });
      this.send({ source: 'booking', 'detail-type': kind, detail: { events: raised } });
    }
  }

  send(body: object): void {
    this.#waiting.push({ body: JSON.stringify(body), dueAt: this.now });
  }

  /** Handles due messages in concurrent batches of ten, then advances the clock, until none waits. */
  async run(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.now = Math.max(this.now, Math.min(...this.#waiting.map(({ dueAt }) => dueAt)));
      const due = this.#waiting.filter(({ dueAt }) => dueAt <= this.now);
      this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > this.now);
      const batches = Array.from({ length: Math.ceil(due.length / 10) }, (_, i) => due.slice(10 * i, 10 * i + 10));
      await Promise.all(batches.map((batch) => this.#handle(batch)));
    }
  }

  async #handle(batch: readonly Waiting[]): Promise<void> {
    const handler = consumer(parseNoticeMessage, (messages) => notify(messages, this.#post));
    const messages = batch.map(({ body }, i) => ({ messageId: String(i), body }));
    const { batchItemFailures } = await handler(sqsEvent(messages), {
      ...lambdaContext,
      getRemainingTimeInMillis: () => this.timeLeftMs,
    });
    for (const { itemIdentifier } of batchItemFailures) this.failed.push(batch[Number(itemIdentifier)]?.body ?? '');
  }

  readonly #post: Post = async (to, mail) => {
    const instead = this.instead.shift();
    if (instead) return instead(to, mail);
    this.mails.push({ to, at: this.now, ...mail });
  };
}
