/** A notice on record, and the one write that decides whether it comes about. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { NoticeKind } from '../../contract/notice-kinds.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';

/** A notice as it waits for its email. It names a webhook or a key, and nobody. */
export interface NoticeItem {
  readonly pk: string;
  readonly sk: string;
  readonly kind: NoticeKind;
  /** Of the webhook or key. */
  readonly id: number;
  readonly tenantId: number;
  /** The key, and the webhook if it is about one. */
  readonly apiKeyId: number;
  readonly webhookId?: number;
  readonly name: string;
  readonly business: string;
  /** How `when` is said. */
  readonly timeZone: string;
  readonly mode: 'live' | 'test';
  readonly reason?: string;
  readonly expiresAt?: string;
  readonly eventId: number;
  readonly window: number;
  /** Epoch milliseconds: when it came up, and until when there is no other. */
  readonly at: number;
  readonly until: number;
  readonly address: string;
  readonly expiresAtSeconds: number;
}

/**
 * Puts the notice on record unless another event of the same kind did within a day: one conditional write, so that only one
 * of several concurrent functions does. Returns the window at whose end it is sent. A message that comes twice finds its
 * own notice, in the window of the first time.
 */
export async function claim(item: NoticeItem, at: number): Promise<number | undefined> {
  try {
    await dynamo().send(
      new PutCommand({
        TableName: env.table('records'),
        Item: item,
        ConditionExpression: 'attribute_not_exists(pk) OR #until <= :at',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ':at': at },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return item.window;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const earlier = error.Item && (unmarshall(error.Item) as NoticeItem);
    return earlier?.eventId === item.eventId ? earlier.window : undefined;
  }
}
