/**
 * Counts requests of one kind of caller: one conditional update of the caller's item asks whether it is let in and
 * counts the request in the current minute and day (docs/rules.md#limits).
 *
 * The condition is that of the kind, and room in both windows. Accepted or not, the answer carries the item, so one call
 * also explains every refusal. What is refused is not written, and so counts in neither window.
 *
 * Old windows leave the item on the way: in the container's next update of an item those that the last accepted answer
 * showed, and the neighbours of the current ones. An item whose every request meets a new container would still gather
 * windows, so an answer that shows more than `staleWindowsMax` of them costs one extra call that removes them. That
 * bounds the counters of an item to about 50 attributes of some 12 bytes, 30 of them days.
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
import { denyCache } from './deny-cache.ts';
import { neighbours, staleNames, type Windows, windowsAt } from './windows.ts';

const staleWindowsMax = 16;
/** An update expression has at most 300 operators and 4 KB. */
const removalsMax = 100;
/** Items whose stale windows a container remembers. */
const rememberedItems = 1_000;

/** The counters of an item by the names of their windows, and whatever else the item holds. */
export type Counters = Readonly<Record<string, unknown>>;

/** A condition on the item, and why it does not hold. */
interface Admission<Item, Refusal> {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  values(nowMs: number): Readonly<Record<string, unknown>>;
  /** Undefined when it does hold: then a window is full. */
  refusalOf(item: Item | undefined, nowMs: number): Refusal | undefined;
}

/** A kind of caller: what is the same for all of them. */
export interface CallerKind<Item extends Counters, Facts, Refusal> {
  readonly limits: RequestLimits;
  /** What lets a caller in besides room in both windows; nothing where another check has let them in. */
  readonly admission?: Admission<Item, Refusal>;
  /** What the request needs to know of the item. */
  readonly factsOf: (item: Item) => Facts;
}

/** What is left of the limits. */
export interface Usage {
  readonly limits: RequestLimits;
  /** Of the minute, and never more than of the day. */
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

/** What differs between containers in a test: their clocks and their connections. */
export interface Container {
  readonly now?: () => number;
  readonly client?: () => DynamoDBDocumentClient;
}

/** The counting of one container, with the memory of that container. `pk` is the caller's item in the keys table. */
export function counter<Item extends Counters, Facts, Refusal>(
  kind: CallerKind<Item, Facts, Refusal>,
  { now = clock.now, client = dynamo }: Container = {},
): (pk: string) => Promise<Count<Facts, Refusal>> {
  const denials = denyCache<Exhausted<Facts>>();
  /** By item, its stale windows, for the next update to remove. */
  const seen = new BoundedMap<string, readonly string[]>(rememberedItems);

  return async (pk) => {
    const nowMs = now();
    const remembered = denials.get(pk, nowMs);
    if (remembered) return remembered;

    const windows = windowsAt(nowMs);
    const removable = [...neighbours(windows), ...(seen.get(pk) ?? [])];
    const counted = await count<Item>(client(), kind, { pk, nowMs, windows, stale: removable });
    if (!counted.accepted) {
      const refusal = kind.admission?.refusalOf(counted.found, nowMs);
      if (refusal !== undefined) return refusal;
      if (!counted.found) throw new Error('A caller without an item was refused for a full window');
      const denial = exhausted(kind, counted.found, windows);
      denials.remember(pk, denial, windows.minuteEndsMs);
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

interface Asked {
  readonly pk: string;
  readonly nowMs: number;
  readonly windows: Windows;
  readonly stale: readonly string[];
}

async function count<Item extends Counters>(
  client: DynamoDBDocumentClient,
  { limits, admission }: Pick<CallerKind<Item, unknown, unknown>, 'limits' | 'admission'>,
  { pk, nowMs, windows, stale }: Asked,
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

/** The day comes before the minute, because its wait is the longer one. */
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

/** The exceptional second call. The request is accepted already: a failure here is for the log alone. */
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
    log.warn('Stale windows of a caller were not removed', { error });
  }
}

function removalOf(names: readonly string[]): { expression: string; names: Record<string, string> } {
  const unique = [...new Set(names)];
  return {
    expression: `REMOVE ${unique.map((_, i) => `#w${i}`).join(', ')}`,
    names: Object.fromEntries(unique.map((name, i) => [`#w${i}`, name])),
  };
}
