/**
 * An entry of the request log of a key (docs/rules.md#request-log), and the stored form of many entries in one item.
 * The entries of an item are stored by columns, so that forty entries of similar requests are smaller than 1 KB, one
 * write unit.
 */
import { compressText, decompressText } from '../compressed-text.ts';

export interface RequestEntry {
  /** The start of the request in epoch milliseconds. */
  readonly at: number;
  readonly requestId: string;
  readonly status: number;
  readonly code?: string | undefined;
  readonly durationMs: number;
  /** Whether a session of the key sent the request. */
  readonly bySession?: boolean | undefined;
  /** Method and path without personal data: `GET /bookings/7`. */
  readonly operation: string;
}

/** A batch of entries of one key. */
export interface RequestBatch {
  readonly pk: string;
  readonly sk: string;
  /** 0 for the account API. */
  readonly keyId: number;
  /** `formatByte`, and the entries. */
  readonly entries: Uint8Array;
  readonly expiresAtSeconds: number;
}

const formatByte = 1;
const radix = 36;

/** Entries in the order of their begin. */
export function packEntries(entries: readonly RequestEntry[]): Uint8Array {
  const columns: readonly ((entry: RequestEntry, i: number) => string)[] = [
    ({ requestId }) => requestId,
    ({ at }, i) => (at - (entries[i - 1]?.at ?? 0)).toString(radix),
    ({ durationMs }) => durationMs.toString(radix),
    ({ status }) => String(status),
    ({ code = '' }) => code,
    ({ bySession }) => (bySession ? '1' : ''),
    ({ operation }) => operation,
  ];
  const packed = compressText(columns.map((column) => entries.map(column).join('\t')).join('\n'));
  return Uint8Array.of(formatByte, ...packed);
}

/** In the order of their start. Empty for an unknown format, which a newer version has written. */
export function unpackEntries(packed: Uint8Array): RequestEntry[] {
  if (packed[0] !== formatByte) return [];
  const columns = decompressText(packed.subarray(1))
    .split('\n')
    .map((column) => column.split('\t'));
  const [ids = [], times = [], durations = [], statuses = [], codes = [], sessions = [], operations = []] = columns;
  let at = 0;
  return ids.map((requestId, i) => {
    at += Number.parseInt(times[i] ?? '0', radix);
    return {
      at,
      requestId,
      status: Number(statuses[i]),
      ...(codes[i] && { code: codes[i] }),
      durationMs: Number.parseInt(durations[i] ?? '0', radix),
      ...(sessions[i] && { bySession: true }),
      operation: operations[i] ?? '',
    };
  });
}
