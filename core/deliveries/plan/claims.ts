/**
 * Claims: which numbers of a webhook belong to which events that are still in the outbox. A claim is written with the
 * number itself, so an event that is planned twice keeps its number. Claims of events that have left the outbox are
 * cleared away with a later number (`docs/decisions/numbers-without-transactions.md`).
 */
import { randomFraction } from '../../clock.ts';
import { type Statement, update } from '../../store/write-each.ts';
import type { EventPosition } from '../../table-keys.ts';
import { type Reserved, subscribesTo, type WebhookItem } from '../../webhooks/registry/webhook.ts';

/**
 * Claims in one webhook at most, 70 KB of the 400 that an item may have. So many events can only be open at once while the
 * queue `deliveries` takes nothing, or DynamoDB; those behind them wait in the outbox.
 */
export const claimsMax = 2_000;
/** With this few a webhook stays below 1 KB, which is one write unit. */
const claimsKept = 8;
/** Looking all up for every event would cost more than the rest of planning. */
const claimsLookedUp = 40;

/**
 * Takes numbers by compare-and-set. Fails when a number was taken since the webhook was read, or its status changed, or
 * what is `reserved` with them was reserved on an old read.
 */
export function claimNumbers(
  { pk, sk, lastNumber, status, reservations }: WebhookItem,
  fields: Pick<WebhookItem, 'lastNumber' | 'claims'> & Partial<WebhookItem>,
  reserved?: Reserved,
): Statement {
  return reserved
    ? update(
        'deliveries',
        { pk, sk },
        { ...fields, ...reserved, reservations: reservations + 1 },
        { lastNumber, status, reservations },
      )
    : update('deliveries', { pk, sk }, fields, { lastNumber, status });
}

/** Reserves first attempts by compare-and-set, in a webhook that takes no numbers with them. */
export function reserve({ pk, sk, reservations }: WebhookItem, reserved: Reserved): Statement {
  return update('deliveries', { pk, sk }, { ...reserved, reservations: reservations + 1 }, { reservations });
}

/**
 * Events whose claims may be cleared away, if they have left the outbox: of the webhooks that will take numbers and have
 * many claims, a part from a random place on, so that each gets its turn. Half of them when they are many, so that they
 * never grow by more than is cleared away.
 */
export function claimsToLookUp(
  webhooks: readonly WebhookItem[],
  events: readonly { readonly id: number; readonly tenantId: number; readonly name: string }[],
): readonly EventPosition[] {
  const takesNumbers = (webhook: WebhookItem) =>
    events.some(
      ({ id, tenantId, name }) =>
        tenantId === webhook.tenantId && subscribesTo(webhook, name) && webhook.claims?.[id] === undefined,
    );
  const claimed = webhooks
    .filter(takesNumbers)
    .map(({ claims = {} }) => Object.entries(claims))
    .filter(({ length }) => length > claimsKept);
  const places = claimed.flat().map(([id, [, , shard]]) => [Number(id), { id: Number(id), shard }] as const);
  const distinct = [...new Map(places).values()].sort((a, b) => a.id - b.id);
  const from = Math.floor(randomFraction() * distinct.length);
  const most = Math.max(claimsLookedUp, Math.ceil(distinct.length / 2));
  return [...distinct.slice(from), ...distinct.slice(0, from)].slice(0, most);
}
