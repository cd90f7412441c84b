/** The only place where a client of an AWS service is built. Each is built on first use and then shared. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

// @__NO_SIDE_EFFECTS__
function once<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

export const dynamo = once(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 3 }), {
    marshallOptions: { removeUndefinedValues: true },
  }),
);

export const sqs = once(() => new SQSClient({ maxAttempts: 3 }));

export const eventBridge = once(() => new EventBridgeClient({ maxAttempts: 3 }));
