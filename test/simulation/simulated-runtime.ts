/** The simulated machines: invocations of functions, their effects, and the faults of both. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Fault, FaultSource, Target } from './faults.ts';
import type { Random } from './random.ts';
import { Timeline } from './timeline.ts';

export interface Invocation {
  readonly id: number;
  readonly name: string;
  readonly startedAt: number;
  /** A dead process has no more effects, and its response is lost. */
  alive: boolean;
  died: boolean;
  storeFaults: number;
  /** How far its machine's clock is ahead, before and after a jump. */
  readonly clock: { readonly aheadMs: number; readonly jumpsAt: number; readonly aheadAfterMs: number };
  /** `failed`: it died, threw, or reported some of its messages as failed. */
  outcome: 'running' | 'done' | 'failed';
}

export interface RuntimeOptions {
  readonly startAt: number;
  readonly faults: FaultSource;
  /** The maximum error of the machines' clocks, which also jump. Default: all agree. */
  readonly clocks?: { readonly random: Random; readonly wrongByMs: number } | undefined;
  /** Called with the exception of a function; Lambda only reports that it failed. */
  readonly onThrown?: (error: unknown) => void;
}

const traceLinesPerUpdate = 2_000;
/** Most clocks are corrected while nothing runs. */
const jumpingShare = 0.1;
const inTime = { aheadMs: 0, jumpsAt: 0, aheadAfterMs: 0 };

export class SimulatedRuntime {
  readonly timeline: Timeline;
  readonly faults: FaultSource;
  readonly #onThrown: (error: unknown) => void;
  readonly #clocks: RuntimeOptions['clocks'];
  readonly #context = new AsyncLocalStorage<Invocation>();
  readonly #hash = createHash('sha256');
  #lines: string[] = [];
  #invocations = 0;
  /** The invocation whose effect happens now. */
  acting: Invocation | undefined;

  constructor({ startAt, faults, clocks, onThrown = () => {} }: RuntimeOptions) {
    this.timeline = new Timeline(startAt);
    this.faults = faults;
    this.#clocks = clocks;
    this.#onThrown = onThrown;
  }

  get now(): number {
    return this.timeline.now;
  }

  /** The clock of the machine that runs this code or effect. */
  get clock(): number {
    const { now } = this;
    const { aheadMs, jumpsAt, aheadAfterMs } = (this.acting ?? this.inside)?.clock ?? inTime;
    return now + (now < jumpsAt ? aheadMs : aheadAfterMs);
  }

  /** The maximum difference of two clocks. */
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

  /** Writes one line about an event. Two runs of one seed have the same lines. */
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

  /** Runs a function as Lambda does. `ended` gets its response, or nothing if it died, threw or timed out. */
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
      storeFaults: 0,
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

  /** Stops the machines with everything that runs on them. */
  killAll(): void {
    for (const invocation of [...this.#endings.keys()]) this.#die(invocation);
  }

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
   * An effect of a function. It happens after a delay, atomically; others may act before and after it. Effects of a
   * dead function that are on the way still happen, but the response is lost. If a real DynamoDB has to respond, the
   * clock waits for it.
   */
  effect<T>(target: Target, name: string, ms: number, happen: (fault: Fault) => T | Promise<T>): Promise<T> {
    const invocation = this.current();
    if (!invocation.alive) return new Promise(() => {});
    const fault = this.faults.roll(target, this.now);
    if (fault && target === 'store') invocation.storeFaults += 1;
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
    const acknowledge = (answer: T) =>
      fault === 'lost answer'
        ? () => reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
        : () => resolve(answer);
    const refused = (error: unknown) => () => reject(error);
    try {
      const answer = happen(fault);
      return answer instanceof Promise ? answer.then(acknowledge, refused) : acknowledge(answer);
    } catch (error) {
      return refused(error);
    }
  }
}
