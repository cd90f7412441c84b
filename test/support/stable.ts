/** Makes the output of runs comparable by replacing values that vary by constant ones. */
import { exampleRequestId } from '../../contract/examples.ts';

/** The day of the appointments in the documents, a Wednesday in winter time. */
export const stableDay = '2026-12-02';

/** Sixteen-digit numbers are ids. They become 1001, 1002 … in order of appearance, after the known ones. */
const idsFrom = 1e12;
const firstId = 1_001;

const recordTime = '2026-11-24T08:30:00.000Z';
const expiry = '2026-11-24T08:40:00.000Z';
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const deliveryId = 'dlv_0a1b2c3d4e5f';
const msPerDay = 86_400_000;
const isDay = /^\d{4}-\d\d-\d\d$/;

export interface Stabilizer {
  /** The day of the appointments, which becomes `stableDay`. */
  readonly day: string;
  /** The first ids, in order. */
  readonly known: readonly number[];
  /** Texts to replace wherever they occur. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Creates one converter for a whole journey, because it remembers the replaced ids. */
export function stabilizer({ day, known, texts }: Stabilizer) {
  const ids = new Map(known.map((id, i) => [id, firstId + i]));
  const idOf = (id: number) => {
    const stable = ids.get(id) ?? firstId + ids.size;
    ids.set(id, stable);
    return stable;
  };
  const shift = Date.parse(stableDay) - Date.parse(day);
  /** Moves days up to today to days up to that of the records. */
  const today = new Date().toISOString().slice(0, 10);
  const beforeRecord = (date: string) =>
    new Date(Date.parse(date) - Date.parse(today) + Date.parse(recordTime.slice(0, 10))).toISOString().slice(0, 10);
  const onStableDay = (date: string) => new Date(Date.parse(date) + shift).toISOString().slice(0, 10);

  const text = (name: string, value: string): string => {
    if (name === 'requestId') return exampleRequestId;
    if (value.startsWith('dlv_')) return deliveryId;
    if (/^(sha256=|v1,)/.test(value)) return value.replace(/(?<=[=,]).*/, '…');
    if (name === 'webhook-timestamp') return String(Math.floor(Date.parse(recordTime) / 1_000));
    if (value.startsWith('{')) return messageBody(JSON.parse(value));
    if (name === 'secret') return secret;
    if (name === 'holdId') return 'hld_5f0c1e9ab27d4c3e8a6b0d1f2e3c4b5a';
    if (name === 'expiresAt') return expiry;
    if (name === 'hour') return recordTime.replace(/:.*/, ':00:00.000Z');
    if (name === 'key' && value.startsWith('bk_')) return 'bk_live_…';
    if (name === 'token') return 'bs_live_…';
    if (name === 'url') return value.replace(/^http:\/\/[^/]+(.*#).*/, 'https://salon.example.com$1bs_live_…');
    if (name === 'prefix') return 'bk_live_7Tq2';
    if (isDay.test(value)) return value <= today ? beforeRecord(value) : onStableDay(value);
    // The time of an appointment keeps its local time and gets another winter day.
    const local = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)[+-]\d\d:\d\d$/.exec(value);
    if (local?.[1]) return `${onStableDay(local[1])}T${local[2]}+02:00`;
    if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return recordTime;
    return Object.entries(texts).reduce((all, [from, to]) => all.replaceAll(from, to), value);
  };

  /** Durations vary, but not whether there is one: an attempt without a response has none. */
  const duration = (name: string, of: Readonly<Record<string, unknown>>): number | undefined => {
    if (name === 'responseTimeMs') return of.responseStatusCode === 0 ? 0 : 42;
    if (name === 'durationMs') return 42;
    if (name.endsWith('ResponseTimeMs')) return of[name] === null ? undefined : 42;
    return name === 'retryAfter' && of.code === 'rate_limit_exceeded' ? 30 : undefined;
  };

  const walk = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return text(name, value);
    if (typeof value === 'number') return value >= idsFrom ? idOf(value) : value;
    if (Array.isArray(value)) return value.map((one) => walk(name, one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([field, one]) => [
        isDay.test(field) ? text('', field) : field,
        duration(field, value as Readonly<Record<string, unknown>>) ?? walk(field, one),
      ]),
    );
  };

  /** The body of a message in a fixed order: the store returns fields of a map, such as `data`, in any order. */
  const messageBody = (message: object) => {
    const { data, ...envelope } = walk('', message) as { readonly data: unknown };
    return JSON.stringify({ ...envelope, data: sorted(data) });
  };

  const meant = (value: unknown): unknown => {
    if (typeof value === 'number') return [...ids].find(([, shown]) => shown === value)?.[0] ?? value;
    if (typeof value === 'string') return value.replace(stableDay, day);
    if (Array.isArray(value)) return value.map(meant);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, meant(one)]));
  };
  return {
    /** Converts values of a run to those of the documents. */
    shown: <T>(value: T) => walk('', value) as T,
    /** Converts values of the documents to those of this run: restores the ids and the day. */
    meant: <T>(value: T) => meant(value) as T,
  };
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, sorted(one)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A day in the future with the weekday of `stableDay`. */
export function dayLikeStable(now: number): string {
  const weekday = new Date(stableDay).getUTCDay();
  let day = Math.ceil(now / msPerDay) + 8;
  while (new Date(day * msPerDay).getUTCDay() !== weekday) day += 1;
  return new Date(day * msPerDay).toISOString().slice(0, 10);
}
