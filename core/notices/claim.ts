/** A stored notice, and the conditional write that creates it. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { NoticeKind } from '../../contract/notice-kinds.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';

/** A notice that waits for its email. Apart from the address, it contains no personal data. */
export interface NoticeItem {
  readonly pk: string;
  readonly sk: string;
  readonly kind: NoticeKind;
  /** The id of the webhook or key. */
  readonly id: number;
  readonly tenantId: number;
  /** The id of the key, and of the webhook if the notice is about one. */
  readonly apiKeyId: number;
  readonly webhookId?: number;
  readonly name: string;
  readonly business: string;
  /** The time zone of the business, for times in the email. */
  readonly timeZone: string;
  readonly mode: 'live' | 'test';
  readonly reason?: string;
  readonly expiresAt?: string;
  readonly eventId: number;
  readonly window: number;
  /** Until when (epoch milliseconds) no other notice of the same kind is stored. */
  readonly until: number;
  readonly address: string;
  readonly expiresAtSeconds: number;
}

/**
 * Stores the notice unless there was another of the same kind within a day. An older one for the same email is
 * replaced. The write is conditional, so only one of several concurrent functions stores a notice. Returns the window
 * at whose end the email is sent. If a message is delivered twice, the second finds its own notice in the window of the
 * first.
 */
export async function claim(item: NoticeItem, at: number): Promise<number | undefined> {
  try {
    await dynamo().send(
      new PutCommand({
        TableName: env.table('records'),
        Item: item,
        ConditionExpression:
          'attribute_not_exists(pk) OR (#until <= :at AND eventId <> :eventId) OR (#window = :window AND eventId < :eventId)',
        ExpressionAttributeNames: { '#until': 'until', '#window': 'window' },
        ExpressionAttributeValues: { ':at': at, ':eventId': item.eventId, ':window': item.window },
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
