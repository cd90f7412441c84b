import type { Row } from './scripted-dynamo.ts';

/** DynamoDB where queries that may be stale find nothing yet. */
export const staleQueriesFindNothing: Row = {
  when: ({ operation, input }) => operation === 'Query' && !input.ConsistentRead,
  answer: () => ({ Items: [] }),
};
