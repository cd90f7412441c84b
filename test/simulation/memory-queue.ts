/** Amazon SQS and its event source mapping: at least once, in any order, and dead letters after too many receives. */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { maxReceiveCount, type Queue } from '../../contract/system/queues.ts';
import { sendBatch, sqsEvent } from '../support/queue-and-bus.ts';
import type { Random } from './random.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';
import type { Appointment } from './timeline.ts';

export interface Message {
  readonly id: string;
  readonly body: string;
  /** The message group. Messages of the bus have none, so each is a group of its own. */
  readonly group: string;
  receives: number;
}

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

export interface QueueOptions {
  readonly runtime: SimulatedRuntime;
  /**
   * Decides randomly which messages are received and when a poller comes. Without it they come in the order of sending,
   * whenever `poll` is called.
   */
  readonly random?: Random;
  readonly name: string;
  readonly row: Queue;
  readonly handler: QueueHandler;
  /** An injected bug: messages are deleted before they are handled. */
  readonly acknowledgesFirst?: boolean;
  /** Converts a message to that of another version of the senders. */
  readonly rewrites?: ((body: string) => string) | undefined;
  /** Called when a message, or a duplicate of one, was sent. */
  readonly onSent?: (body: string) => void;
  readonly onDeleted?: (body: string) => void;
  readonly onDeadLettered?: (body: string) => void;
}

const duplicateWithinMs = 120_000;
/** The interval between polls, long enough for batches to form. */
const pollMs = { least: 100, most: 400 };

/** Messages that can be received, in random order, but with the same chance for each group, however large it is. */
class ReadyMessages {
  readonly #random: Random | undefined;
  readonly #groups = new Map<string, Message[]>();
  /** The names of the groups. Without randomness there is one. */
  readonly #names: string[] = [];
  size = 0;

  constructor(random: Random | undefined) {
    this.#random = random;
  }

  add(message: Message): void {
    const name = this.#random ? message.group : '';
    const group = this.#groups.get(name);
    if (group) group.push(message);
    else {
      this.#groups.set(name, [message]);
      this.#names.push(name);
    }
    this.size += 1;
  }

  take(): Message {
    const at = this.#random?.below(this.#names.length) ?? 0;
    const group = this.#groups.get(this.#names[at] ?? '') ?? [];
    const [message] = group.splice(this.#random?.below(group.length) ?? 0, 1);
    if (!message) throw new Error('Nothing is there');
    if (group.length === 0) for (const name of this.#names.splice(at, 1)) this.#groups.delete(name);
    this.size -= 1;
    return message;
  }

  all(): readonly Message[] {
    return [...this.#groups.values()].flat();
  }
}

export class MemoryQueue {
  readonly #options: QueueOptions;
  #ready: ReadyMessages;
  /** Messages that cannot be received yet: they are delayed, or about to be handled. */
  readonly #hidden = new Map<Message, Appointment>();
  readonly #dead: Message[] = [];
  deadLettered = 0;
  readonly #visibilityMs: number;
  #running = 0;
  #sent = 0;
  #pollPlanned = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#ready = new ReadyMessages(options.random);
    // The stack sets the same value.
    this.#visibilityMs = 6 * options.row.timeoutSeconds * 1_000;
  }

  get size(): number {
    return this.#ready.size + this.#hidden.size;
  }

  /** The bodies of these messages, including delayed ones. */
  get bodies(): readonly string[] {
    return [...this.#ready.all(), ...this.#hidden.keys()].map(({ body }) => body);
  }

  take(): readonly string[] {
    const { bodies } = this;
    for (const message of [...this.#hidden.keys()]) this.#forget(message);
    this.#ready = new ReadyMessages(this.#options.random);
    return bodies;
  }

  /** `SendMessageBatch`. `takes` returns for each entry, by index, whether it is accepted. */
  sendBatch(entries: Parameters<typeof sendBatch>[0], takes: (index: number) => boolean): object {
    return sendBatch(entries, takes, (body, delayMs, group) => this.send(body, delayMs, group));
  }

  send(body: string, delayMs = 0, group?: string): void {
    this.#sent += 1;
    const { name, rewrites = (same) => same } = this.#options;
    const id = `${name}-${this.#sent}`;
    this.#arrive({ id, body: rewrites(body), group: group ?? id, receives: 0 }, delayMs);
  }

  #arrive(message: Message, delayMs: number): void {
    this.#options.onSent?.(message.body);
    if (delayMs > 0) this.#hide(message, delayMs);
    else this.#show(message);
  }

  #hide(message: Message, ms: number): void {
    const appears = this.#options.runtime.timeline.in(ms, () => {
      this.#hidden.delete(message);
      this.#show(message);
    });
    this.#hidden.set(message, appears);
  }

  #show(message: Message): void {
    this.#ready.add(message);
    this.#planPoll();
  }

  /** Redrives the dead-letter queue, as an operator does after the cause was repaired. */
  redrive(): number {
    const messages = this.#dead.splice(0);
    for (const message of messages) {
      message.receives = 0;
      this.#show(message);
    }
    return messages.length;
  }

  #planPoll(): void {
    const { runtime, random, row } = this.#options;
    if (!random || this.#pollPlanned || this.#ready.size === 0) return;
    this.#pollPlanned = true;
    runtime.timeline.in(random.between(pollMs.least, pollMs.most), () => {
      this.#pollPlanned = false;
      while (this.#running < row.maxConcurrency && this.poll());
    });
  }

  /** Passes the next messages to the function. Returns false if none can be received. */
  poll(most: number = this.#options.row.batchSize): boolean {
    if (this.#ready.size === 0) return false;
    const batch = this.#receive(most);
    if (batch.length > 0) this.#handle(batch);
    return true;
  }

  #receive(most: number): Message[] {
    const { runtime, random } = this.#options;
    const received: Message[] = [];
    while (received.length < most && this.#ready.size > 0) {
      const message = this.#ready.take();
      message.receives += 1;
      if (message.receives > maxReceiveCount) {
        this.#dead.push(message);
        this.deadLettered += 1;
        this.#options.onDeadLettered?.(message.body);
        continue;
      }
      this.#hide(message, this.#visibilityMs);
      if (random && runtime.faults.strikes('duplicate')) {
        this.#arrive({ ...message, id: `${message.id}+` }, random.between(1, duplicateWithinMs));
      }
      received.push(message);
    }
    return received;
  }

  #handle(batch: readonly Message[]): void {
    const { runtime, name, row, handler, acknowledgesFirst } = this.#options;
    const event = sqsEvent(batch.map(({ id, body }) => ({ messageId: id, body })));
    this.#running += 1;
    if (acknowledgesFirst) for (const message of batch) this.#forget(message);
    runtime.trace(`${name} ${batch.map(({ id }) => id).join(' ')}`);
    runtime.invoke(
      row.handler,
      row.timeoutSeconds * 1_000,
      (context) => handler(event, context),
      (answer, invocation) => {
        this.#running -= 1;
        const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        if (failed.size > 0) invocation.outcome = 'failed';
        for (const message of batch) {
          const handled = answer !== undefined && !failed.has(message.id);
          if (acknowledgesFirst || (handled && !runtime.faults.strikes('lostAcknowledgement'))) this.#delete(message);
        }
        this.#planPoll();
      },
    );
  }

  #forget(message: Message): void {
    this.#hidden.get(message)?.cancel();
    this.#hidden.delete(message);
  }

  #delete(message: Message): void {
    this.#forget(message);
    this.#options.onDeleted?.(message.body);
  }
}
