/**
 * What the bus tells an operator of webhooks (docs/rules.md#operational-events). They are no events of the business: nobody
 * can subscribe a webhook to them.
 */
import * as z from 'zod/mini';
import { id, instant, shape } from '../fields.ts';
import { webhookStatus } from '../integration/resources.ts';
import { mode } from '../modes.ts';

export const operationalEvents = {
  'webhook.failing': 'The third of five deliveries in a row has failed.',
  'webhook.disabled': 'The fifth in a row has failed, and the webhook was switched off.',
  'webhook.recovered': 'The first success after either.',
} as const satisfies Record<string, string>;
export type OperationalEventName = keyof typeof operationalEvents;

export function isOperational(name: string): name is OperationalEventName {
  return name.startsWith('webhook.');
}

export const operationalEventData = shape(() =>
  z.strictObject({
    webhookId: id().check(z.describe('Id of the webhook.')),
    apiKeyId: id().check(z.describe('Id of the API key that the webhook belongs to.')),
    mode: mode.check(z.describe('Whether it is a webhook of the live business or of its sandbox.')),
    status: webhookStatus.check(z.describe('Its state now.')),
    consecutiveFailures: z.int().check(z.describe('Its deliveries in a row that failed.')),
    failingSince: z
      .nullable(instant())
      .check(z.describe('When its first failed attempt in a row ended, UTC; null after a success.')),
  }),
);
export type OperationalEventData = z.infer<typeof operationalEventData>;
