/**
 * Claims: which numbers of a webhook were taken for which events that are still in the outbox. The write that takes a
 * number also stores its claim, so an event that is planned twice keeps its number. When a later number is taken,
 * claims of events that have left the outbox are deleted (`docs/decisions/numbers-without-transactions.md`).
 */
import { randomFraction } from '../../clock.ts';
import { type Statement, update } from '../../store/write-each.ts';
import type { EventPosition } from '../../table-keys.ts';
import { type Reserved, subscribesTo, type WebhookItem } from '../../webhooks/registry/webhook.ts';

/**
 * The maximum of claims in one webhook: 70 KB of the 400 KB of an item. It is reached only if the queue `deliveries` or
 * DynamoDB refuses all calls for a long time; later events then wait in the outbox.
 */
export const claimsMax = 2_000;
/** A webhook with at most this many claims stays below 1 KB, which is one write unit. */
const claimsKept = 8;
/** Looking up all claims for every event would cost more than all other steps of planning. */
const claimsLookedUp = 40;

/**
 * Takes numbers, or stores until when a delivery is held, with a conditional write. It fails if a number was taken since
 * the webhook was read, if its status has changed, or if the reservations in `reserved` are based on an outdated read.
 */
export function claimNumbers(
  { pk, sk, lastNumber, status, reservations }: WebhookItem,
  fields: Partial<WebhookItem>,
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

/** Reserves first attempts with a conditional write to a webhook of which no numbers are taken. */
export function reserve({ pk, sk, reservations }: WebhookItem, reserved: Reserved): Statement {
  return update('deliveries', { pk, sk }, { ...reserved, reservations: reservations + 1 }, { reservations });
}

/**
 * Some of the claimed events, to look up whether they have left the outbox: their claims can then be deleted. Only
 * webhooks that have many claims and will take numbers are checked. The part begins at a random claim, so each claim is
 * looked up at some time. If there are very many, half of them are looked up, so claims are deleted as fast as new ones
 * are added.
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
  const shardOf = new Map(claimed.flat().map(([id, [, , shard]]) => [Number(id), shard]));
  const distinct = [...shardOf].map(([id, shard]) => ({ id, shard })).sort((a, b) => a.id - b.id);
  const from = Math.floor(randomFraction() * distinct.length);
  const most = Math.max(claimsLookedUp, Math.ceil(distinct.length / 2));
  return [...distinct.slice(from), ...distinct.slice(0, from)].slice(0, most);
}
