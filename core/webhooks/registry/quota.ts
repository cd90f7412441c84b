/** The count of a key's active webhooks: ten at most (section 8), held by a condition of every transaction that adds one. */
import { limits } from '../../../contract/limits.ts';
import { env } from '../../env.ts';
import type { Write } from '../../store/transact.ts';
import { deliveries } from '../../table-keys.ts';

export function oneMoreActive(businessId: number, keyId: number): Write {
  return {
    Update: {
      TableName: env.table('deliveries'),
      Key: deliveries.quota(businessId, keyId),
      UpdateExpression: 'ADD active :one',
      ConditionExpression: 'attribute_not_exists(active) OR active < :limit',
      ExpressionAttributeValues: { ':one': 1, ':limit': limits.activeWebhooksPerKey },
    },
  };
}

/** A webhook that is deleted or switched off leaves its place. */
export function oneLessActive(businessId: number, keyId: number): Write {
  return {
    Update: {
      TableName: env.table('deliveries'),
      Key: deliveries.quota(businessId, keyId),
      UpdateExpression: 'ADD active :minusOne',
      ExpressionAttributeValues: { ':minusOne': -1 },
    },
  };
}
