/** DynamoDB where what costs half sees nothing yet. */
import { dynamo } from '../../core/clients.ts';

/** Queries that may be stale find nothing until the middleware of this name is removed. */
export function hideFromStaleReads(name: string): void {
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const { ConsistentRead } = args.input as { ConsistentRead?: boolean };
        const isStale = commandName === 'QueryCommand' && !ConsistentRead;
        return isStale ? { ...result, output: { ...result.output, Items: [] } } : result;
      },
    { name, step: 'initialize', override: true },
  );
}
