/** Waits for writes that no request waits for (docs/rules.md#request-log). */
import type { Call, Row } from './scripted-dynamo.ts';

export function isLogWrite({ operation, input }: Call): boolean {
  return operation === 'UpdateItem' && JSON.stringify(input.Key?.pk)?.includes('#REQUESTS') === true;
}

export function pendingLogWrites() {
  const sent: Promise<unknown>[] = [];
  return {
    /** The row to add to a script of the test. */
    row: {
      when: isLogWrite,
      answer: (_call, send) => {
        const one = send();
        sent.push(one);
        return one;
      },
    } satisfies Row,
    /** Resolves when the writes have ended, successfully or not. */
    settled: () => Promise.allSettled(sent),
  };
}
