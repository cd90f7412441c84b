/** The only source of time and randomness in `core/`. Tests and the simulation replace it with a fake clock. */
import { randomBytes } from 'node:crypto';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(size: number): Uint8Array;
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const realRuntime: Runtime = {
  now: () => Date.now(),
  randomBytes: (size) => randomBytes(size),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => resolve(clearTimeout(timer)));
    }),
};

let runtime = realRuntime;

/** Replaces the runtime, or restores the real one. For tests. */
export function setRuntime(replacement?: Partial<Runtime>): void {
  runtime = { ...realRuntime, ...replacement };
}

export function now(): number {
  return runtime.now();
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return runtime.sleep(ms, signal);
}

export function random(size: number): Uint8Array {
  return runtime.randomBytes(size);
}

/** A number in [0, 1). */
export function randomFraction(): number {
  return Buffer.from(runtime.randomBytes(6)).readUIntBE(0, 6) / 2 ** 48;
}

const idEpochMs = Date.UTC(2024, 0, 1);
const idsPerMs = 4_096;

/** How far ids may be ahead of the clock: as many ids as one second has. */
const aheadMaxIds = 1_000 * idsPerMs;

let lastId = 0;

/**
 * A new id (docs/rules.md#ids): milliseconds since 2024-01-01 in the high bits and 12 random bits below, ordered by
 * time and safe as a JavaScript number for seventy years. Further ids of one container in a millisecond count up, so
 * that one transaction never contains the same id twice. The condition of the write detects the rare case that two
 * containers make the same id.
 */
export function newId(): number {
  const twelveBits = Buffer.from(runtime.randomBytes(2)).readUInt16BE(0) & 0xfff;
  const msStart = firstIdAt(runtime.now());
  const isAhead = lastId >= msStart && lastId < msStart + aheadMaxIds;
  lastId = isAhead ? lastId + 1 : msStart + twelveBits;
  return lastId;
}

/** The lowest id of a moment: every id made before `ms` is lower. Converts an age to a range of a sort key. */
export function firstIdAt(ms: number): number {
  return (ms - idEpochMs) * idsPerMs;
}

/** When an id was made, in epoch milliseconds. */
export function timeOfId(id: number): number {
  return Math.floor(id / idsPerMs) + idEpochMs;
}

/** ISO 8601, UTC, milliseconds, `Z` (docs/rules.md#times: record timestamps). */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
