/** The machine that the functions run on: their invocations, their effects, and what goes wrong with both. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Fault, Target, Troubles } from './faults.ts';
import type { Random } from './random.ts';
import { Timeline } from './timeline.ts';

export interface Invocation {
  readonly id: number;
  readonly name: string;
  readonly startedAt: number;
  /** A process that is not alive does nothing any more, and what it was about to answer is lost. */
  alive: boolean;
  /** It crashed, or was cut off. */
  died: boolean;
  /** Faults that calls of it to the store met. */
  troubles: number;
  /** How far its machine's clock is ahead; from a moment on it has jumped. */
  readonly clock: { readonly aheadMs: number; readonly jumpsAt: number; readonly aheadAfterMs: number };
  /** `failed`: it died, threw, or reported some of its messages as failed. */
  outcome: 'running' | 'done' | 'failed';
}

export interface WorldOptions {
  readonly startAt: number;
  readonly faults: Troubles;
  /** Clocks of machines are wrong by so much at most, and jump. Default: all agree. */
  readonly clocks?: { readonly random: Random; readonly wrongByMs: number } | undefined;
  /** Called with what a function threw, of which Lambda reports only that it failed. */
  readonly onThrown?: (error: unknown) => void;
}

const traceLinesPerUpdate = 2_000;
/** Most clocks are set while nothing runs. */
const jumpingShare = 0.1;
const inTime = { aheadMs: 0, jumpsAt: 0, aheadAfterMs: 0 };

export class World {
  readonly timeline: Timeline;
  readonly faults: Troubles;
  readonly #onThrown: (error: unknown) => void;
  readonly #clocks: WorldOptions['clocks'];
  readonly #context = new AsyncLocalStorage<Invocation>();
  readonly #hash = createHash('sha256');
  #lines: string[] = [];
  #invocations = 0;
  /** Whose effect is happening right now. */
  acting: Invocation | undefined;

  constructor({ startAt, faults, clocks, onThrown = () => {} }: WorldOptions) {
    this.timeline = new Timeline(startAt);
    this.faults = faults;
    this.#clocks = clocks;
    this.#onThrown = onThrown;
  }

  get now(): number {
    return this.timeline.now;
  }

  /** What the clock shows of the machine whose code or effect this is. */
  get clock(): number {
    const { now } = this;
    const { aheadMs, jumpsAt, aheadAfterMs } = (this.acting ?? this.inside)?.clock ?? inTime;
    return now + (now < jumpsAt ? aheadMs : aheadAfterMs);
  }

  /** By how much two clocks can differ. */
  get clocksDifferByMs(): number {
    return 2 * (this.#clocks?.wrongByMs ?? 0);
  }

  #someClock(timeoutMs: number): Invocation['clock'] {
    if (!this.#clocks) return inTime;
    const { random, wrongByMs } = this.#clocks;
    const some = () => random.between(-wrongByMs, wrongByMs);
    const aheadMs = some();
    const jumps = random.chance(jumpingShare);
    return { aheadMs, jumpsAt: this.now + random.below(timeoutMs), aheadAfterMs: jumps ? some() : aheadMs };
  }

  get invocations(): number {
    return this.#invocations;
  }

  /** One line of what happened. Two runs of one seed have the same lines. */
  trace(line: string): void {
    if (this.#lines.push(`${this.now} ${line}\n`) >= traceLinesPerUpdate) this.#flush();
  }

  #flush(): void {
    this.#hash.update(this.#lines.join(''));
    this.#lines = [];
  }

  traceHash(): string {
    this.#flush();
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  /** Runs a function as Lambda does. `ended` gets its answer, or nothing when it died, threw or took too long. */
  invoke<T>(
    name: string,
    timeoutMs: number,
    run: (context: Context, invocation: Invocation) => Promise<T>,
    ended: (answer: T | undefined, invocation: Invocation) => void,
  ): void {
    this.#invocations += 1;
    const { now: startedAt, timeline } = this;
    const invocation: Invocation = {
      id: this.#invocations,
      name,
      startedAt,
      alive: true,
      died: false,
      troubles: 0,
      clock: this.#someClock(timeoutMs),
      outcome: 'running',
    };
    const end = (answer: T | undefined) => {
      this.#endings.delete(invocation);
      deadline.cancel();
      invocation.alive = false;
      invocation.outcome = answer === undefined ? 'failed' : 'done';
      this.trace(`${name} ${invocation.id} ${answer === undefined ? 'failed' : 'returned'}`);
      ended(answer, invocation);
    };
    const die = () => {
      invocation.died = true;
      end(undefined);
    };
    const deadline = timeline.in(timeoutMs, die);
    this.#endings.set(invocation, die);
    const context = {
      awsRequestId: String(invocation.id),
      getRemainingTimeInMillis: () => startedAt + timeoutMs - timeline.now,
    } as Context;
    this.#context
      .run(invocation, () => run(context, invocation))
      .then(
        (answer) => invocation.alive && end(answer),
        (error) => {
          if (!invocation.alive) return;
          this.#onThrown(error);
          end(undefined);
        },
      );
  }

  readonly #endings = new Map<Invocation, () => void>();

  #die(invocation: Invocation): void {
    this.#endings.get(invocation)?.();
  }

  /** The machines are gone, with all that runs on them. */
  killAll(): void {
    for (const invocation of [...this.#endings.keys()]) this.#die(invocation);
  }

  /** Whether a function runs that has not come to its end. */
  get isBusy(): boolean {
    return this.#endings.size > 0;
  }

  /** The invocation that this code runs in, if any. */
  get inside(): Invocation | undefined {
    return this.#context.getStore();
  }

  current(): Invocation {
    const invocation = this.inside;
    if (!invocation) throw new Error('This happens outside of any function');
    return invocation;
  }

  /**
   * Something a function does to the world. It happens after a while, at once and completely; between then and now others
   * act. What a dead function has on its way still happens, and its answer is lost. Where a real DynamoDB has
   * to answer, the clock waits for it.
   */
  effect<T>(target: Target, name: string, ms: number, happen: (fault: Fault) => T | Promise<T>): Promise<T> {
    const invocation = this.current();
    if (!invocation.alive) return new Promise(() => {});
    const fault = this.faults.roll(target, this.now);
    if (fault && target === 'store') invocation.troubles += 1;
    this.trace(`${invocation.id} ${name} ${fault ?? ''}`);
    if (fault === 'crash before') {
      this.#die(invocation);
      return new Promise(() => {});
    }
    return new Promise((resolve, reject) => {
      this.timeline.in(ms, () => {
        this.acting = invocation;
        const settle = this.#attempt(fault, happen, resolve, reject);
        this.acting = undefined;
        const end = (settled: () => void) => {
          if (fault === 'crash after') this.#die(invocation);
          if (invocation.alive) settled();
        };
        if (typeof settle === 'function') end(settle);
        else this.timeline.awaits(settle.then(end));
      });
    });
  }

  #attempt<T>(
    fault: Fault,
    happen: (fault: Fault) => T | Promise<T>,
    resolve: (answer: T) => void,
    reject: (error: unknown) => void,
  ): (() => void) | Promise<() => void> {
    const answered = (answer: T) =>
      fault === 'lost answer'
        ? () => reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
        : () => resolve(answer);
    const refused = (error: unknown) => () => reject(error);
    try {
      const answer = happen(fault);
      return answer instanceof Promise ? answer.then(answered, refused) : answered(answer);
    } catch (error) {
      return refused(error);
    }
  }
}
