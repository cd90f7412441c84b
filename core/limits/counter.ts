/**
 * Counts the requests of a caller: one conditional update of the caller's item checks the caller and counts the request
 * in the current minute and day (docs/rules.md#limits).
 *
 * The condition is that of the kind of caller, and requests left in both windows. The response contains the item even
 * if the condition fails, so one call is enough to explain a refusal. A refused request is not written, so it does not
 * count.
 *
 * The next update of the same container removes old windows: those that the last accepted response contained, and the
 * minutes before the previous minute. If every request of a caller reaches a new container, windows would accumulate,
 * so a response with more than `staleWindowsMax` of them causes one additional call that removes them. So an item has
 * at most about 50 counters of some 12 bytes, 30 of them for days.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { RequestLimits } from '../../contract/limits.ts';
import { BoundedMap } from '../bounded-map.ts';
import { dynamo } from '../clients.ts';
import * as clock from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { expiredMinutes, staleNames, type Windows, windowsAt } from './windows.ts';

const staleWindowsMax = 16;
/** An update expression has at most 300 operators and 4 KB. */
const removalsMax = 100;
/** How many items a container remembers with their old windows. */
const rememberedItems = 1_000;
const rememberedDenials = 10_000;

/** The counters of an item by the names of their windows, and the other fields of the item. */
export type Counters = Readonly<Record<string, unknown>>;

/** A condition on the item, and the reason if it is false. */
interface Admission<Item, Refusal> {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  values(nowMs: number): Readonly<Record<string, unknown>>;
  /** Why the condition is false; undefined if it is true, because then the limit of a window is reached. */
  refusalOf(item: Item | undefined, nowMs: number): Refusal | undefined;
}

export interface CallerKind<Item extends Counters, Facts, Refusal> {
  readonly limits: RequestLimits;
  /** What a caller must fulfil besides the limits; absent if another check has authenticated the caller. */
  readonly admission?: Admission<Item, Refusal>;
  /** The fields of the item that the request needs. */
  readonly factsOf: (item: Item) => Facts;
}

export interface Usage {
  readonly limits: RequestLimits;
  /** The requests left in this minute, but never more than those left on this day. */
  readonly remaining: number;
  readonly resetsMs: number;
  readonly dayRemaining: number;
  readonly dayResetsMs: number;
}

type Accepted<Facts> = Facts & { readonly outcome: 'accepted'; readonly usage: Usage };

/** A limit is used up until `untilMs`. */
export type Exhausted<Facts = unknown> = Facts & {
  readonly outcome: 'minute_exhausted' | 'day_exhausted';
  readonly usage: Usage;
  readonly untilMs: number;
};

export type Count<Facts, Refusal> = Accepted<Facts> | Exhausted<Facts> | Refusal;

/** The parts in which containers differ in a test: clocks and connections. */
export interface Container {
  readonly now?: () => number;
  readonly client?: () => DynamoDBDocumentClient;
}

/** The counter of one container, with its memory. `pk` is the caller's item in the table `keys`. */
export function counter<Item extends Counters, Facts, Refusal>(
  kind: CallerKind<Item, Facts, Refusal>,
  { now = clock.now, client = dynamo }: Container = {},
): (pk: string) => Promise<Count<Facts, Refusal>> {
  /**
   * After a 429, the container refuses the requests of this caller without a database call until the minute ends. Even
   * if the limit of the day is used up, the caller is checked again once a minute, because a key may have been revoked.
   */
  const denials = new BoundedMap<string, Exhausted<Facts>>(rememberedDenials);
  /** The old windows of each item, which the next update removes. */
  const seen = new BoundedMap<string, readonly string[]>(rememberedItems);

  return async (pk) => {
    const nowMs = now();
    const remembered = denials.get(pk);
    if (remembered && nowMs < remembered.usage.resetsMs) return remembered;

    const windows = windowsAt(nowMs);
    const removable = [...expiredMinutes(windows), ...(seen.get(pk) ?? [])];
    const counted = await count<Item>(client(), kind, { pk, nowMs, windows, stale: removable });
    if (!counted.accepted) {
      const refusal = kind.admission?.refusalOf(counted.found, nowMs);
      if (refusal !== undefined) return refusal;
      if (!counted.found) throw new Error('A caller without an item was refused for a full window');
      const denial = exhausted(kind, counted.found, windows);
      denials.set(pk, denial);
      return denial;
    }

    const stale = staleNames(Object.keys(counted.found), windows);
    if (stale.length > staleWindowsMax) await removeWindows(client(), pk, stale);
    else seen.set(pk, stale);
    return { ...kind.factsOf(counted.found), outcome: 'accepted', usage: usageOf(kind, counted.found, windows) };
  };
}

type Counted<Item> =
  | { readonly accepted: true; readonly found: Item }
  | { readonly accepted: false; readonly found: Item | undefined };

interface CounterRequest {
  readonly pk: string;
  readonly nowMs: number;
  readonly windows: Windows;
  readonly stale: readonly string[];
}

async function count<Item extends Counters>(
  client: DynamoDBDocumentClient,
  { limits, admission }: Pick<CallerKind<Item, unknown, unknown>, 'limits' | 'admission'>,
  { pk, nowMs, windows, stale }: CounterRequest,
): Promise<Counted<Item>> {
  const removal = removalOf(stale);
  try {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: env.table('keys'),
        Key: { pk },
        ConditionExpression:
          '(attribute_not_exists(#minute) OR #minute < :perMinute)' +
          ' AND (attribute_not_exists(#day) OR #day < :perDay)' +
          (admission ? ` AND ${admission.expression}` : ''),
        UpdateExpression: `ADD #minute :one, #day :one ${removal.expression}`,
        ExpressionAttributeNames: {
          '#minute': windows.minuteName,
          '#day': windows.dayName,
          ...admission?.names,
          ...removal.names,
        },
        ExpressionAttributeValues: {
          ':perMinute': limits.perMinute,
          ':perDay': limits.perDay,
          ':one': 1,
          ...admission?.values(nowMs),
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { accepted: true, found: Attributes as Item };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { accepted: false, found: error.Item && (unmarshall(error.Item) as Item) };
  }
}

/** The limit that is used up. The day comes before the minute: a caller must wait longer for it. */
function exhausted<Item extends Counters, Facts>(
  kind: Pick<CallerKind<Item, Facts, unknown>, 'limits' | 'factsOf'>,
  item: Item,
  windows: Windows,
): Exhausted<Facts> {
  const usage = usageOf(kind, item, windows);
  const facts = kind.factsOf(item);
  return usage.dayRemaining === 0
    ? { ...facts, outcome: 'day_exhausted', usage, untilMs: windows.dayEndsMs }
    : { ...facts, outcome: 'minute_exhausted', usage, untilMs: windows.minuteEndsMs };
}

function usageOf({ limits }: { readonly limits: RequestLimits }, item: Counters, windows: Windows): Usage {
  const left = (limit: number, name: string) => Math.max(0, limit - Number(item[name] ?? 0));
  const dayRemaining = left(limits.perDay, windows.dayName);
  return {
    limits,
    remaining: Math.min(left(limits.perMinute, windows.minuteName), dayRemaining),
    resetsMs: windows.minuteEndsMs,
    dayRemaining,
    dayResetsMs: windows.dayEndsMs,
  };
}

/** The rare second call. The request is already accepted, so a failure is only logged. */
async function removeWindows(client: DynamoDBDocumentClient, pk: string, names: readonly string[]): Promise<void> {
  const removal = removalOf(names.slice(0, removalsMax));
  try {
    await client.send(
      new UpdateCommand({
        TableName: env.table('keys'),
        Key: { pk },
        ConditionExpression: 'attribute_exists(pk)',
        UpdateExpression: removal.expression,
        ExpressionAttributeNames: removal.names,
      }),
    );
  } catch (error) {
    log.warn('The old request counters of a caller could not be removed', { error });
  }
}

function removalOf(names: readonly string[]): { expression: string; names: Record<string, string> } {
  const unique = [...new Set(names)];
  return {
    expression: `REMOVE ${unique.map((_, i) => `#w${i}`).join(', ')}`,
    names: Object.fromEntries(unique.map((name, i) => [`#w${i}`, name])),
  };
}
