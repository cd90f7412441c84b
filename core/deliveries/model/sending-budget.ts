/**
 * The sending budget (docs/rules.md#sending-budget): in which minute each attempt of a business is made. A window is a
 * minute of the clock; a time scale shortens windows as it shortens the delays between attempts. Pure.
 */
import { limits } from '../../../contract/limits.ts';
import type { Reserved, WebhookItem } from '../../webhooks/registry/webhook.ts';
import { retryDelaysMs } from './due-times.ts';

const { business: perBusiness, unansweredHost: perHost } = limits.attemptsPerMinute;
/** A week: the longest time for which an attempt is held. */
const windowsAhead = 10_080;
/** The share of a window over which held attempts are spread. */
const spread = 0.8;
/** The time from the moment when an attempt is due until its request arrives. */
const underWayMs = 5_000;

/**
 * When the counts of hosts are this long as JSON, further hosts share one. Otherwise a business whose webhooks move to
 * other hosts every hour would exceed the 400 KB of an item. The counts of its present hosts still grow.
 */
const hostSendsMax = 200_000;
/** About the length of the counts of a new host, without its name. */
const newHostLength = 100;
const sharedCounts = '';

/** The number of attempts in each window, beginning with the current one. */
type Counts = number[];

export class SendingBudget {
  readonly #at: number;
  readonly #timeScale: number;
  readonly #windowMs: number;
  readonly #window: number;
  readonly #respondedHosts: ReadonlySet<string | undefined>;
  readonly #ofBusiness: Counts;
  readonly #ofHosts = new Map<string, Counts>();
  #hostSendsLength = 0;

  /**
   * `webhooks`: all of a business. The first one stores the reservations; the limit of hosts does not apply to a host
   * that has responded with 2xx to any of them.
   */
  constructor(webhooks: readonly (Reserved & Pick<WebhookItem, 'answeredHost'>)[], at: number, timeScale: number) {
    const { sends = [], hostSends = {} } = webhooks[0] ?? {};
    this.#at = at;
    this.#timeScale = timeScale;
    this.#windowMs = 60_000 / timeScale;
    this.#window = Math.floor(at / this.#windowMs);
    this.#respondedHosts = new Set(webhooks.map(({ answeredHost }) => answeredHost));
    this.#ofBusiness = countsFrom(this.#window, sends);
    for (const [host, stored] of Object.entries(hostSends)) {
      const counts = countsFrom(this.#window, stored);
      if (counts.length === 0) continue;
      this.#ofHosts.set(host, counts);
      this.#hostSendsLength += JSON.stringify([host, stored]).length;
    }
  }

  /**
   * Reserves the next attempt and returns when it is due, now or later. Until `notBefore` an earlier delivery of the
   * same webhook is held.
   */
  reserve(host: string, notBefore = 0): number {
    const ofHost = this.#countsOf(host);
    const isFull = (window: number, arrival: readonly number[] = [window]) =>
      !hasPlace(this.#ofBusiness, window, perBusiness) || arrival.some((ahead) => !hasPlace(ofHost, ahead, perHost));
    const isDue = notBefore <= this.#at;
    // At the end of a window, the request may arrive in the next window.
    const arrival = this.#windowsFrom(this.#at, this.#at + underWayMs / this.#timeScale);
    if (isDue && !isFull(0, arrival)) {
      add(this.#ofBusiness, 0);
      for (const ahead of arrival) add(ofHost, ahead);
      return this.#at;
    }
    let ahead = isDue ? 1 : Math.min(windowsAhead, Math.max(0, this.#windowOf(notBefore)));
    while (ahead < windowsAhead && isFull(ahead)) ahead += 1;
    // Held attempts are spread over the window, so that they keep their order, and late ones still arrive in the
    // window.
    const before = ofHost ? (ofHost[ahead] ?? 0) / perHost : (this.#ofBusiness[ahead] ?? 0) / perBusiness;
    add(this.#ofBusiness, ahead);
    add(ofHost, ahead);
    return Math.max(notBefore, Math.ceil((this.#window + ahead + Math.min(1, before) * spread) * this.#windowMs));
  }

  /**
   * Reserves an attempt in each window into which a retry may fall, after a first attempt that is due at `dueAt`. False
   * if one of the windows is full: then each retry must be reserved when it is due.
   */
  reserveRetries(host: string, dueAt: number): boolean {
    const ofHost = this.#countsOf(host);
    const lateMs = (limits.deliveryTimeoutMs + underWayMs) / this.#timeScale;
    let [earliest, latest] = [dueAt, dueAt];
    const windows = retryDelaysMs(this.#timeScale).flatMap((delayMs) => {
      earliest += delayMs;
      latest += lateMs + delayMs;
      return this.#windowsFrom(earliest, latest);
    });
    if (!windows.every((ahead) => hasPlace(ofHost, ahead, perHost))) return false;
    for (const ahead of windows) add(ofHost, ahead);
    return true;
  }

  get reserved(): Required<Reserved> {
    const ofHosts = [...this.#ofHosts].filter(([host, counts]) => counts.length > 0 && !this.#respondedHosts.has(host));
    return {
      sends: [this.#window, ...runsOf(this.#ofBusiness)],
      hostSends: Object.fromEntries(ofHosts.map(([host, counts]) => [host, [this.#window, ...runsOf(counts)]])),
    };
  }

  /**
   * Undefined for a host that has responded with 2xx. As long as the shared counts contain attempts, a new host shares
   * them, because its earlier attempts may be among them.
   */
  #countsOf(host: string): Counts | undefined {
    if (this.#respondedHosts.has(host)) return undefined;
    const own = this.#ofHosts.get(host);
    if (own) return own;
    const isShared = this.#ofHosts.has(sharedCounts) || this.#hostSendsLength > hostSendsMax;
    const name = isShared ? sharedCounts : host;
    const counts = this.#ofHosts.get(name) ?? [];
    this.#ofHosts.set(name, counts);
    this.#hostSendsLength += name.length + newHostLength;
    return counts;
  }

  /** How many windows after the current one a moment is. */
  #windowOf(ms: number): number {
    return Math.floor(ms / this.#windowMs) - this.#window;
  }

  #windowsFrom(from: number, to: number): readonly number[] {
    const [first, last] = [this.#windowOf(from), this.#windowOf(to)];
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  }
}

function hasPlace(counts: Counts | undefined, ahead: number, most: number): boolean {
  return (counts?.[ahead] ?? 0) < most;
}

function add(counts: Counts | undefined, ahead: number): void {
  if (!counts) return;
  while (counts.length < ahead) counts.push(0);
  counts[ahead] = (counts[ahead] ?? 0) + 1;
}

/** The stored counts, `[window, ...runs]`, from `window` on. */
function countsFrom(window: number, [first = window, ...runs]: readonly number[]): Counts {
  const counts = runs.flatMap((run, i) => (run < 0 ? Array<number>(-run).fill(runs[i - 1] ?? 0) : run));
  const ahead = first - window;
  if (ahead <= 0) return counts.slice(-ahead);
  // If another container's clock is ahead, it has already removed the counts of this window.
  return ahead > windowsAhead ? [] : [...Array<number>(ahead).fill(0), ...counts];
}

/** A count that repeats n times is followed by `-n`: most windows have no attempts or are full. */
function runsOf(counts: Counts): readonly number[] {
  const runs: number[] = [];
  counts.forEach((count, i) => {
    const last = runs.at(-1) ?? 0;
    if (count !== counts[i - 1]) runs.push(count);
    else if (last < 0) runs[runs.length - 1] = last - 1;
    else runs.push(-1);
  });
  return runs;
}
