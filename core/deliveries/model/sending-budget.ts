/**
 * The sending budget (docs/rules.md#sending-budget): which minute each first attempt of a business is made in. A window is
 * a minute of the clock; a time scale shortens it as it shortens the waits between attempts. Values in, values out.
 */
import { limits } from '../../../contract/limits.ts';
import type { Reserved } from '../../webhooks/registry/webhook.ts';

const { business: perBusiness, unansweredHost: perHost } = limits.firstAttemptsPerMinute;
/** A week. What would have to wait longer waits a week. */
const windowsAhead = 10_080;
/** The share of a window over which held attempts are spread. */
const spread = 0.8;

export class SendingBudget {
  readonly #at: number;
  readonly #windowMs: number;
  /** The window of `at`, and the counts of it and of those after it. */
  readonly #window: number;
  readonly #counts: number[];
  readonly #hosts: Map<string, readonly [window: number, count: number]>;

  constructor({ sends = [], hostSends = {} }: Reserved, at: number, timeScale: number) {
    this.#at = at;
    this.#windowMs = 60_000 / timeScale;
    this.#window = this.#windowOf(at);
    const [first = this.#window, ...counts] = sends;
    const ahead = first - this.#window;
    // Where another machine's clock is ahead, what it knew of this window is gone.
    this.#counts = ahead <= 0 ? counts.slice(-ahead) : ahead > windowsAhead ? [] : [...Array(ahead).fill(0), ...counts];
    this.#hosts = new Map(Object.entries(hostSends).filter(([, [window]]) => window >= this.#window));
  }

  /**
   * Reserves the next first attempt and returns when it is due: now, or held. `host` is named while it has not answered;
   * before `notBefore` an earlier delivery of the same webhook is held.
   */
  reserve(host: string | undefined, notBefore = 0): number {
    const [last, taken] = (host !== undefined && this.#hosts.get(host)) || [0, 0];
    let window = Math.max(this.#window, this.#windowOf(notBefore));
    if (last >= window) window = taken < perHost ? last : last + 1;
    let ahead = Math.min(window - this.#window, windowsAhead);
    while (ahead < windowsAhead && (this.#counts[ahead] ?? 0) >= perBusiness) ahead += 1;
    window = this.#window + ahead;
    const ofBusiness = this.#counts[ahead] ?? 0;
    const ofHost = window === last ? taken : 0;
    while (this.#counts.length < ahead) this.#counts.push(0);
    this.#counts[ahead] = ofBusiness + 1;
    if (host !== undefined) this.#hosts.set(host, [window, ofHost + 1]);
    if (ahead === 0 && notBefore <= this.#at) return this.#at;
    // Spread, so that what was held keeps its order, with time left in the window for what is late.
    const share = Math.min(1, host === undefined ? ofBusiness / perBusiness : ofHost / perHost);
    return Math.max(notBefore, Math.ceil((window + share * spread) * this.#windowMs));
  }

  get reserved(): Required<Reserved> {
    return { sends: [this.#window, ...this.#counts], hostSends: Object.fromEntries(this.#hosts) };
  }

  #windowOf(ms: number): number {
    return Math.floor(ms / this.#windowMs);
  }
}
