/**
 * Reserves two kinds of attempts in the sending budget only when they are due (docs/rules.md#sending-budget): retries
 * to a host that was at its limit when their event was planned, and attempts that were planned before their webhook got
 * another host. The attempts of one business are reserved together.
 */
import { oneAfterAnother } from '../../chunks.ts';
import { now, timestamp } from '../../clock.ts';
import { env } from '../../env.ts';
import { commitWithRetry, conditionFailedAt } from '../../store/transact.ts';
import { set, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { webhooksOfBusiness } from '../../webhooks/registry/store.ts';
import { hostOf } from '../../webhooks/registry/webhook.ts';
import type { DeliveryRef } from '../model/batch.ts';
import { SendingBudget } from '../model/sending-budget.ts';
import type { Found } from './attempt.ts';

/** A transaction has at most a hundred writes: two for each attempt, and one for the budget. */
const perTransaction = 49;

export function isUnreserved({ webhook, delivery }: Found): boolean {
  if (webhook.status !== 'active' || webhook.answeredHost === hostOf(webhook)) return false;
  const isMoved = delivery.id <= (webhook.movedAfter ?? 0);
  const isRetry = delivery.attempts > 0 && delivery.reservesRetries;
  return (isMoved || isRetry === true) && delivery.reservedFor !== nextAttemptOf({ webhook, delivery });
}

function nextAttemptOf({ webhook, delivery }: Found): string {
  return `${delivery.attempts + 1} ${hostOf(webhook)}`;
}

interface Unreserved extends Found {
  readonly ref: DeliveryRef;
}

type DueAt = ReadonlyMap<DeliveryRef, number>;

/** The due time of each attempt, in epoch milliseconds. Rejects if another message has already made the attempt. */
export function reserveAttempts(unreserved: readonly Unreserved[]): ReadonlyMap<DeliveryRef, Promise<number>> {
  const byBusiness = [...Map.groupBy(unreserved, ({ webhook }) => webhook.tenantId).values()];
  const reserving = byBusiness.flatMap((some) => oneAfterAnother(some, perTransaction, reserveTogether));
  return new Map(reserving.map(([{ ref }, dueAt]) => [ref, dueAt.then((all) => dueAtOf(all, ref))]));
}

function dueAtOf(dueAt: DueAt, ref: DeliveryRef): number {
  const reserved = dueAt.get(ref);
  if (reserved === undefined) throw new Error('The attempt was made, or its webhook deleted, concurrently');
  return reserved;
}

function reserveTogether(unreserved: readonly Unreserved[]): Promise<DueAt> {
  const alreadyReserved = new Set<Unreserved>();
  return commitWithRetry(async () => {
    const at = now();
    const open = unreserved.filter((one) => !alreadyReserved.has(one));
    const webhooks = await webhooksOfBusiness(unreserved[0]?.webhook.tenantId ?? 0);
    const [budgetWebhook] = webhooks;
    // Their webhooks are deleted, so these deliveries are not sent.
    if (!budgetWebhook) return { writes: [], result: new Map() };
    const budget = new SendingBudget(webhooks, at, env.timeScale());
    const dueAt = new Map(open.map(({ ref, webhook }) => [ref, budget.reserve(hostOf(webhook))]));
    const holds = open.flatMap((one) => holdWrites(one, dueAt.get(one.ref) ?? at, at).map((write) => ({ one, write })));
    const { reservations } = budgetWebhook;
    const reserved = { ...budget.reserved, reservations: reservations + 1 };
    return {
      writes: [set('deliveries', budgetWebhook, reserved, { reservations }), ...holds.map(({ write }) => write)],
      result: dueAt,
      onCancelled: (codes) => {
        holds.forEach(({ one }, i) => {
          if (conditionFailedAt(codes, i + 1)) alreadyReserved.add(one);
        });
      },
      unaudited: true,
    };
  });
}

/** Stores the reserved minute with a held attempt; `nextAttemptAt` of the newest record shows it. */
function holdWrites(found: Found, dueAt: number, at: number): readonly Write[] {
  if (dueAt <= at) return [];
  const { delivery } = found;
  const { attempts, state, attemptNumber, laterRecords = [] } = delivery;
  const isNewest = attempts <= attemptNumber;
  const nextAttemptAt = timestamp(dueAt);
  const fields = { dueAt, reservedFor: nextAttemptOf(found), ...(isNewest && { nextAttemptAt }) };
  const newest = deliveries.record(delivery.webhookId, laterRecords.at(-1) ?? delivery.id);
  return [
    set('deliveries', delivery, fields, { attempts, state }),
    ...(isNewest ? [] : [set('deliveries', newest, { nextAttemptAt }, { deliveryStatus: state })]),
  ];
}
