/**
 * What was planned for another host, before its webhook moved (docs/rules.md#sending-budget). It was reserved for a host that
 * may have answered, thousands a minute, and the new one may never have.
 */
import { now, timestamp } from '../../clock.ts';
import { env } from '../../env.ts';
import { commitWithRetry, refusedAt } from '../../store/transact.ts';
import { set } from '../../store/write.ts';
import { webhooksAfter } from '../../webhooks/registry/store.ts';
import { hostOf } from '../../webhooks/registry/webhook.ts';
import type { DeliveryRef } from '../model/batch.ts';
import { SendingBudget } from '../model/sending-budget.ts';
import type { Found } from './attempt.ts';

/** Whether the sending budget has no place for it at a host that has not answered. */
export function isUnreserved({ webhook, delivery }: Found, { number }: DeliveryRef): boolean {
  const host = hostOf(webhook);
  const isMoved = number <= (webhook.movedAfter ?? 0) && delivery.reservedFor !== host;
  return isMoved && webhook.status === 'active' && webhook.answeredHost !== host;
}

/** Reserves its next attempt at the new host; its later ones are retries. Returns when it is due, in epoch milliseconds. */
export function reserveAgain({ webhook, delivery }: Found): Promise<number> {
  return commitWithRetry(async () => {
    const at = now();
    const [keeper] = (await webhooksAfter(webhook.tenantId, undefined, 1)).webhooks;
    // Its webhook is deleted, and so is the delivery.
    if (!keeper) return { writes: [], answer: at };
    const host = hostOf(webhook);
    const budget = new SendingBudget(keeper, at, env.timeScale());
    const dueAt = budget.reserve(keeper.answeredHost === host ? undefined : host);
    const { reservations } = keeper;
    const { attempts, state } = delivery;
    const held = attempts === 0 && dueAt > at && { nextAttemptAt: timestamp(dueAt) };
    return {
      writes: [
        set('deliveries', keeper, { ...budget.reserved, reservations: reservations + 1 }, { reservations }),
        set('deliveries', delivery, { dueAt, reservedFor: host, ...held }, { attempts, state }),
      ],
      answer: dueAt,
      refused: (codes) => {
        if (refusedAt(codes, 1)) throw new Error('Another message made the attempt');
      },
      unaudited: true,
    };
  });
}
