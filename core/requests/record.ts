/**
 * Writes the request log of keys (docs/rules.md#request-log). A container collects entries in its memory, and writes
 * many entries of one key as one item: a write for each request would add a third to the cost of a request. The
 * container writes while it handles a later request, because Lambda freezes it after the response. People look for
 * failed requests at once, so once a minute a response waits briefly for a write. No request fails because of the log,
 * and entries that a container has not written are lost when it ends.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { requestLogLimits } from '../../contract/limits.ts';
import { BoundedMap } from '../bounded-map.ts';
import { dynamo } from '../clients.ts';
import { hourMs, minuteMs, now, sleep } from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { isSandbox } from '../mode.ts';
import { records } from '../table-keys.ts';
import { isTimeUp } from '../time-left.ts';
import { packEntries, type RequestBatch, type RequestEntry } from './entry.ts';

/** Whose request log contains the request. */
export interface Requester {
  readonly tenantId: number;
  /** 0 for the account API. */
  readonly keyId: number;
}

export interface Recorded extends RequestEntry, Requester {
  /** Whether it counted against the limits. Other requests may be part of a flood. */
  readonly isCounted: boolean;
}

const { entriesPerWrite, entryBytesPerWrite, batchHours, refusalsPerMinute, urgentMs } = requestLogLimits;

/** The maximum in a container, so that its memory is limited. */
const keysMax = 250;
const entriesMax = 2 * entriesPerWrite;

interface Pending extends Requester {
  /** In the order of their begin. */
  entries: RequestEntry[];
  refusals: { readonly minute: number; readonly count: number };
}

/** The log of one container. Tests replace `write`. */
export function requestRecorder(write: (batch: RequestBatch) => Promise<unknown> = writeBatch) {
  const pending = new BoundedMap<string, Pending>(keysMax);
  /**
   * Each counted request earns a fraction of a write, so that the number of writes is a fixed fraction of the requests.
   * At most one write is saved up.
   */
  let earned = 0;
  /** In addition, one write a minute may be urgent. */
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

  /** The first key with an urgent entry; if there is none, the key with most entries. */
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
    /** Called at the start of a request: writes entries while the request is handled. */
    begin(): void {
      // A thousandth less than 1, because forty times a fortieth is less than one in floating point.
      const of = earned > 0.999 && !isTimeUp() ? next() : undefined;
      if (!of) return;
      earned -= 1;
      void writeOf(of);
    },
    /**
     * Called at the end of a request. Resolves at once, or after a short time if an urgent entry is written. Never
     * rejects.
     */
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

/** Whether an entry will be looked for soon. */
function isUrgent({ tenantId, entries }: Pending): boolean {
  return entries.some(({ status }) => status >= 400 || isSandbox(tenantId));
}

const noRefusals = { minute: 0, count: 0 };

function nextRefusal({ minute, count }: Pending['refusals'], at: number): Pending['refusals'] {
  return { minute: at, count: minute === at ? count + 1 : 1 };
}

/** Sorts the entries. If there are too many, removes the oldest success or, if there is none, the oldest entry. */
function withoutLeast(entries: RequestEntry[]): RequestEntry[] {
  entries.sort((a, b) => a.at - b.at);
  if (entries.length <= entriesMax) return entries;
  const success = entries.findIndex(({ status }) => status < 400);
  return entries.toSpliced(Math.max(0, success), 1);
}

/** Takes the newest entries that fit into one item and are close enough in time to be listed in order. */
function batchOf(of: Pending): RequestBatch {
  const newest = of.entries.at(-1)?.at ?? 0;
  const near = of.entries.filter(({ at }) => at > newest - batchHours * hourMs).slice(-entriesPerWrite);
  let packed = packEntries(near);
  while (packed.length > entryBytesPerWrite) {
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

/**
 * An update command, which every function already has for the key check: another command would make each bundle larger.
 */
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

export const requestLog = /* @__PURE__ */ requestRecorder();
export type RequestLog = typeof requestLog;
