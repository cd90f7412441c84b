/** Waits for writes that no request waits for (docs/rules.md#request-log). */
import type { Call, Row } from './scripted-dynamo.ts';

export interface PendingLogWrites {
  /** The row to add to a script of the test. */
  readonly row: Row;
  /** Resolves when the writes have ended, successfully or not. */
  settled(): Promise<unknown>;
}

/** Whether a call writes to the request log. */
export function isLogWrite({ operation, input }: Call): boolean {
  return operation === 'UpdateItem' && JSON.stringify(input.Key?.pk)?.includes('#REQUESTS') === true;
}

export function pendingLogWrites(): PendingLogWrites {
  const sent: Promise<unknown>[] = [];
  return {
    row: {
      when: isLogWrite,
      answer: (_call, send) => {
        const one = send();
        sent.push(one);
        return one;
      },
    },
    settled: () => Promise.allSettled(sent),
  };
}
