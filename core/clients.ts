/** The only place where a client of an AWS service is built. Each is built on first use and then shared. */
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { env } from './env.ts';
import { assertTimeLeft, requestTimeoutMs } from './time-left.ts';

const built: {
  dynamo?: DynamoDBDocumentClient;
  sqs?: SQSClient;
  eventBridge?: EventBridgeClient;
  cognito?: CognitoIdentityProviderClient;
} = {};

/** Without time-outs a connection that nobody answers any more would hold a call until its function is cut off. */
function bounded() {
  const timeoutMs = env.requestTimeoutMs() ?? requestTimeoutMs;
  return {
    maxAttempts: 3,
    // A second to connect. The wait for one of the fifty connections of a client counts as well.
    requestHandler: { connectionTimeout: timeoutMs / 3, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  };
}

export function dynamo(): DynamoDBDocumentClient {
  built.dynamo ??= inTime(
    DynamoDBDocumentClient.from(unlogged(new DynamoDBClient(bounded())), {
      // A map that a caller sent may have a name "constructor", which the SDK takes for that of a class.
      marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
    }),
  );
  return built.dynamo;
}

export function sqs(): SQSClient {
  built.sqs ??= unlogged(new SQSClient(bounded()));
  return built.sqs;
}

export function eventBridge(): EventBridgeClient {
  built.eventBridge ??= unlogged(new EventBridgeClient(bounded()));
  return built.eventBridge;
}

export function cognito(): CognitoIdentityProviderClient {
  built.cognito ??= unlogged(new CognitoIdentityProviderClient(bounded()));
  return built.cognito;
}

/** Without a logger the SDK still copies every input and output, for a line that is never written. */
function unlogged<C extends DynamoDBClient | SQSClient | EventBridgeClient | CognitoIdentityProviderClient>(
  client: C,
): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

const reads: readonly (string | undefined)[] = ['GetItemCommand', 'BatchGetItemCommand', 'QueryCommand'];

/** No write begins when its call's time is up. Asked below the SDK's retries, each of which is a beginning. */
function inTime(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (!reads.includes(commandName)) assertTimeLeft();
        return next(args);
      },
    { name: 'inTime', step: 'finalizeRequest', priority: 'low' },
  );
  return client;
}
