/** What an attempt is made with, and what it is once it is over. */
import type { KeyFacts } from '../../keys/api-key.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import type { DeliveryItem } from './delivery-record.ts';
import type { DeliveryMessage } from './messages.ts';
import type { AttemptResult } from './state.ts';

/** A delivery and the webhook it is for. */
export interface Found {
  readonly webhook: WebhookItem;
  readonly delivery: DeliveryItem;
}

/** What an attempt needs beside them. */
export interface Means {
  readonly key: KeyFacts | undefined;
  readonly secret: string | undefined;
}

/** An attempt that is over, with what was read before it. Times are epoch milliseconds. */
export interface MadeAttempt extends Found {
  readonly message: DeliveryMessage;
  readonly result: AttemptResult;
  readonly startedAt: number;
  readonly endedAt: number;
}
