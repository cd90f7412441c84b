/**
 * Keeps what became of each request of a key (docs/rules.md#request-log). A container collects entries in its memory and
 * writes them by the key, many in one item: a write for each request would cost a third of the request itself. It writes
 * while it serves the next request, because Lambda freezes a container between two. What failed is looked for at once: so
 * one answer a minute waits for a write, for a moment at most. No request fails because of its log, and what a container
 * had not written when it ended is lost.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { requestLogLimits } from '../../contract/limits.ts';
import { BoundedMap } from '../bounded-map.ts';
import { dynamo } from '../clients.ts';
import { now, sleep } from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { isSandbox } from '../mode.ts';
import { records } from '../table-keys.ts';
import { isTimeUp } from '../time-left.ts';
import { packEntries, type RequestBatch, type RequestEntry } from './entry.ts';

/** Whose request it was. */
export interface Requester {
  readonly tenantId: number;
  /** 0: of the account API. */
  readonly keyId: number;
}

export interface Recorded extends RequestEntry, Requester {
  /** Whether it counted against the limits. What did not may be a flood. */
  readonly isCounted: boolean;
}

const { entriesPerWrite, entryBytesPerWrite, batchHours, refusalsPerMinute, urgentMs } = requestLogLimits;
const minuteMs = 60_000;

/** Of a container, so that its memory has a bound. */
const keysMax = 250;
const entriesMax = 2 * entriesPerWrite;

interface Pending extends Requester {
  /** In the order of their begin. */
  entries: RequestEntry[];
  refusals: { readonly minute: number; readonly count: number };
}

/** The log of one container. `write` is what differs in a test. */
export function requestRecorder(write: (batch: RequestBatch) => Promise<unknown> = writeBatch) {
  const pending = new BoundedMap<string, Pending>(keysMax);
  /** Each counted request earns a part of a write, so that writes never are more than a part of the requests. One is saved. */
  let earned = 0;
  /** Besides, one write a minute may be urgent. */
  let urgentAt = Number.NEGATIVE_INFINITY;

  function add({ tenantId, keyId, isCounted, ...entry }: Recorded): void {
    const name = `${tenantId}#${keyId}`;
    const of = pending.get(name) ?? { tenantId, keyId, entries: [], refusals: noRefusals };
    if (!isCounted) {
      of.refusals = nextRefusal(of.refusals, Math.floor(entry.at / minuteMs));
      if (of.refusals.count > refusalsPerMinute) return;
    }
    if (isCounted) earned = Math.min(earned + 1 / entriesPerWrite, 1);
    of.entries = withoutLeast([...of.entries, entry]);
    pending.set(name, of);
  }

  /** The one that waits longest with something urgent; without one, that with most entries. */
  function next(): Pending | undefined {
    let most: Pending | undefined;
    for (const of of pending.values()) {
      if (isUrgent(of)) return of;
      if (of.entries.length > (most?.entries.length ?? 0)) most = of;
    }
    return most;
  }

  async function writeOf(of: Pending): Promise<void> {
    try {
      await write(batchOf(of));
    } catch (error) {
      log.warn('Entries of the request log were lost', { error });
    }
  }

  return {
    /** With the begin of a request: what is due is written while the request is served. */
    begin(): void {
      // A thousandth: forty times a fortieth is less than one.
      const of = earned > 0.999 && !isTimeUp() ? next() : undefined;
      if (!of) return;
      earned -= 1;
      void writeOf(of);
    },
    /** With its end. Resolves at once unless something urgent is written, and soon in any case. Never rejects. */
    async end(entry: Recorded): Promise<void> {
      add(entry);
      const isMinuteOver = now() - urgentAt >= minuteMs || now() < urgentAt;
      const of = isMinuteOver && !isTimeUp() ? next() : undefined;
      if (!of || !isUrgent(of)) return;
      urgentAt = now();
      const written = new AbortController();
      await Promise.race([writeOf(of), sleep(urgentMs, written.signal)]);
      written.abort();
    },
  };
}

/** Something in it is looked for soon. */
function isUrgent({ tenantId, entries }: Pending): boolean {
  return entries.some(({ status }) => status >= 400 || isSandbox(tenantId));
}

const noRefusals = { minute: 0, count: 0 };

function nextRefusal({ minute, count }: Pending['refusals'], at: number): Pending['refusals'] {
  return { minute: at, count: minute === at ? count + 1 : 1 };
}

/** In order, and of too many without the oldest success or, without one, the oldest. */
function withoutLeast(entries: RequestEntry[]): RequestEntry[] {
  entries.sort((a, b) => a.at - b.at);
  if (entries.length <= entriesMax) return entries;
  const least = Math.max(
    0,
    entries.findIndex(({ status }) => status < 400),
  );
  return entries.toSpliced(least, 1);
}

/** Takes the newest that fit into one write, and are not too far apart to be listed in order. */
function batchOf(of: Pending): RequestBatch {
  const newest = of.entries.at(-1)?.at ?? 0;
  const near = of.entries.filter(({ at }) => at > newest - batchHours * 3_600_000).slice(-entriesPerWrite);
  let packed = packEntries(near);
  while (packed.length > entryBytesPerWrite && near.length > 1) {
    near.shift();
    packed = packEntries(near);
  }
  of.entries = of.entries.filter((entry) => !near.includes(entry));
  return {
    ...records.requests(of.tenantId, newest, near.at(-1)?.requestId ?? ''),
    keyId: of.keyId,
    entries: packed,
    expiresAtSeconds: Math.ceil(newest / 1_000) + requestLogLimits.days * 86_400,
  };
}

/** As the update that every function has for the key check: another command would make each bundle larger. */
function writeBatch({ pk, sk, entries, keyId, expiresAtSeconds }: RequestBatch): Promise<unknown> {
  return dynamo().send(
    new UpdateCommand({
      TableName: env.table('records'),
      Key: { pk, sk },
      UpdateExpression: 'SET entries = :entries, keyId = :keyId, expiresAtSeconds = :expires',
      ExpressionAttributeValues: { ':entries': entries, ':keyId': keyId, ':expires': expiresAtSeconds },
    }),
  );
}

/** That of this container. */
export const requestLog = /* @__PURE__ */ requestRecorder();
export type RequestLog = typeof requestLog;
