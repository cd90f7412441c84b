/** The only place where a client of an AWS service is built. Each is built on first use and then shared. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const built: { dynamo?: DynamoDBDocumentClient; sqs?: SQSClient; eventBridge?: EventBridgeClient } = {};

export function dynamo(): DynamoDBDocumentClient {
  built.dynamo ??= DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 3 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return built.dynamo;
}

export function sqs(): SQSClient {
  built.sqs ??= new SQSClient({ maxAttempts: 3 });
  return built.sqs;
}

export function eventBridge(): EventBridgeClient {
  built.eventBridge ??= new EventBridgeClient({ maxAttempts: 3 });
  return built.eventBridge;
}
