/** Counts what a client really sends: one entry per call, by the name of its command. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export function countCalls(client: DynamoDBDocumentClient): string[] {
  const calls: string[] = [];
  client.middlewareStack.add(
    (next, context) => (args) => {
      calls.push(String(context.commandName));
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'countCalls', override: true },
  );
  return calls;
}
