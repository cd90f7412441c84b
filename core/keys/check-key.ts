/**
 * Authentication and both limits in one conditional update of the key's item (docs/rules.md#limits).
 *
 * The condition is that the key exists, is active, has not expired and has room in the current minute and day; the
 * update counts the request in both. Accepted or not, the answer carries the item, so one call also explains every
 * refusal. What is refused is not written, and so counts in neither window.
 *
 * Old windows leave the item on the way: in the container's next update of a key those that the last answer showed, and
 * the neighbours of the current ones unless that answer is of this very minute. A key whose every request meets a new
 * container would still gather windows, so an answer that shows more than `staleWindowsMax` of them costs one extra
 * call that removes them. That bounds the counters of an item to about 20 attributes of some 13 bytes.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { limits } from '../../contract/limits.ts';
import { dynamo } from '../clients.ts';
import * as clock from '../clock.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { keys } from '../table-keys.ts';
import { type ApiKey, type CountedKey, statusOf } from './api-key.ts';
import { BoundedMap } from './bounded-map.ts';
import { denyCache } from './deny-cache.ts';
import { neighbours, staleNames, type Windows, windowsAt } from './windows.ts';

const staleWindowsMax = 16;
/** An update expression has at most 300 operators and 4 KB. */
const removalsMax = 100;
/** Keys whose stale windows a container remembers. */
const rememberedKeys = 1_000;

/** What is left of the limits. */
export interface Usage {
  /** Of the minute, and never more than of the day. */
  readonly remaining: number;
  readonly resetsMs: number;
  readonly dayRemaining: number;
  readonly dayResetsMs: number;
}

export interface Accepted {
  readonly outcome: 'accepted';
  readonly key: ApiKey;
  readonly origins: readonly string[];
  readonly usage: Usage;
}

/** A limit is used up until `untilMs`. */
export interface Exhausted {
  readonly outcome: 'minute_exhausted' | 'day_exhausted';
  readonly origins: readonly string[];
  readonly usage: Usage;
  readonly untilMs: number;
}

export interface Refused {
  readonly outcome: 'unknown' | 'revoked' | 'expired';
}

export type KeyCheck = Accepted | Exhausted | Refused;

type Counters = Readonly<Record<string, unknown>>;

/** The stale windows of a key in the answer that a container had last, and the minute of that answer. */
interface Seen {
  readonly minute: number;
  readonly stale: readonly string[];
}

/** An answer of this very minute showed every stale window there is: no new one can have come since. */
function removable(seen: Seen | undefined, windows: Windows): readonly string[] {
  return seen?.minute === windows.minute ? seen.stale : [...neighbours(windows), ...(seen?.stale ?? [])];
}

/** What differs between containers in a test: their clocks and their connections. */
export interface Container {
  readonly now?: () => number;
  readonly client?: () => DynamoDBDocumentClient;
}

/** The key check of one container, with the memory of that container. `hash` is the SHA-256 of a key's value. */
export function keyChecker({ now = clock.now, client = dynamo }: Container = {}): (hash: string) => Promise<KeyCheck> {
  const denials = denyCache<Exhausted>();
  const seen = new BoundedMap<string, Seen>(rememberedKeys);

  /** Returns how many stale windows the item still has, for the next update to remove. */
  function rememberStale(hash: string, item: Counters, windows: Windows): readonly string[] {
    const stale = staleNames(Object.keys(item), windows);
    seen.set(hash, { minute: windows.minute, stale: stale.slice(0, staleWindowsMax) });
    return stale;
  }

  return async (hash) => {
    const nowMs = now();
    const remembered = denials.get(hash, nowMs);
    if (remembered) return remembered;

    const windows = windowsAt(nowMs);
    const item = await count(client(), hash, nowMs, windows, removable(seen.get(hash), windows));
    if (!item.accepted) {
      const denial = explain(item.found, nowMs, windows);
      if (item.found && 'untilMs' in denial) {
        rememberStale(hash, item.found, windows);
        denials.remember(hash, denial, windows.minuteEndsMs);
      }
      return denial;
    }

    const stale = rememberStale(hash, item.found, windows);
    if (stale.length > staleWindowsMax) {
      seen.delete(hash);
      await removeWindows(client(), hash, stale);
    }
    const { id, businessId, scopes, origins, test } = item.found;
    return {
      outcome: 'accepted',
      key: { id, businessId, scopes, test },
      origins,
      usage: usageOf(item.found, windows),
    };
  };
}

/** The key check of this container. */
export const checkKey = keyChecker();

type Counted =
  | { readonly accepted: true; readonly found: CountedKey }
  | { readonly accepted: false; readonly found: CountedKey | undefined };

async function count(
  client: DynamoDBDocumentClient,
  hash: string,
  nowMs: number,
  windows: Windows,
  stale: readonly string[],
): Promise<Counted> {
  const removal = removalOf(stale);
  try {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: env.table('keys'),
        Key: keys.apiKey(hash),
        ConditionExpression:
          '#status = :active AND (attribute_not_exists(expiresAt) OR expiresAt > :now)' +
          ' AND (attribute_not_exists(#minute) OR #minute < :perMinute)' +
          ' AND (attribute_not_exists(#day) OR #day < :perDay)',
        UpdateExpression: `ADD #minute :one, #day :one ${removal.expression}`,
        ExpressionAttributeNames: {
          '#status': 'status',
          '#minute': windows.minuteName,
          '#day': windows.dayName,
          ...removal.names,
        },
        ExpressionAttributeValues: {
          ':active': 'active',
          ':now': nowMs,
          ':perMinute': limits.requestsPerMinute,
          ':perDay': limits.requestsPerDay,
          ':one': 1,
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { accepted: true, found: Attributes as CountedKey };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { accepted: false, found: error.Item && (unmarshall(error.Item) as CountedKey) };
  }
}

/** Why the condition did not hold. The day comes before the minute, because its wait is the longer one. */
function explain(item: CountedKey | undefined, nowMs: number, windows: Windows): Exhausted | Refused {
  if (item === undefined) return { outcome: 'unknown' };
  const status = statusOf(item, nowMs);
  if (status !== 'active') return { outcome: status };
  const usage = usageOf(item, windows);
  return usage.dayRemaining === 0
    ? { outcome: 'day_exhausted', origins: item.origins, usage, untilMs: windows.dayEndsMs }
    : { outcome: 'minute_exhausted', origins: item.origins, usage, untilMs: windows.minuteEndsMs };
}

function usageOf(item: Counters, windows: Windows): Usage {
  const left = (limit: number, name: string) => Math.max(0, limit - Number(item[name] ?? 0));
  const dayRemaining = left(limits.requestsPerDay, windows.dayName);
  return {
    remaining: Math.min(left(limits.requestsPerMinute, windows.minuteName), dayRemaining),
    resetsMs: windows.minuteEndsMs,
    dayRemaining,
    dayResetsMs: windows.dayEndsMs,
  };
}

/** The exceptional second call. The request is accepted already: a failure here is for the log alone. */
async function removeWindows(client: DynamoDBDocumentClient, hash: string, names: readonly string[]): Promise<void> {
  const removal = removalOf(names.slice(0, removalsMax));
  try {
    await client.send(
      new UpdateCommand({
        TableName: env.table('keys'),
        Key: keys.apiKey(hash),
        ConditionExpression: 'attribute_exists(pk)',
        UpdateExpression: removal.expression,
        ExpressionAttributeNames: removal.names,
      }),
    );
  } catch (error) {
    log.warn('Stale windows of a key were not removed.', error as Error);
  }
}

function removalOf(names: readonly string[]): { expression: string; names: Record<string, string> } {
  const unique = [...new Set(names)];
  return {
    expression: unique.length === 0 ? '' : `REMOVE ${unique.map((_, i) => `#w${i}`).join(', ')}`,
    names: Object.fromEntries(unique.map((name, i) => [`#w${i}`, name])),
  };
}
