/** The only module that creates clients of AWS services. Each client is created at its first use and then shared. */
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

/** Without time-outs, a call on a connection without responses would wait until its function is stopped. */
function bounded() {
  const timeoutMs = env.requestTimeoutMs() ?? requestTimeoutMs;
  return {
    maxAttempts: env.maxAttempts(),
    // A second to connect, including the wait for one of the fifty connections of a client.
    requestHandler: { connectionTimeout: timeoutMs / 3, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  };
}

export function dynamo(): DynamoDBDocumentClient {
  built.dynamo ??= inTime(
    DynamoDBDocumentClient.from(unlogged(new DynamoDBClient(bounded())), {
      // A map in a request may have a key "constructor", which the SDK would take for the constructor of a class.
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

/** Without its own logger, the SDK would copy every input and output for a log line that is never written. */
function unlogged<C extends DynamoDBClient | SQSClient | EventBridgeClient | CognitoIdentityProviderClient>(
  client: C,
): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

const reads: readonly (string | undefined)[] = ['GetItemCommand', 'BatchGetItemCommand', 'QueryCommand'];

/**
 * Begins no write after the time of its call is over. The check is below the SDK's retries, because each retry begins
 * the write again.
 */
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
