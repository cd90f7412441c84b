/** Writes that no request waits for (docs/rules.md#request-log), for tests that look for what they wrote. */
import type { Call, Row } from './scripted-dynamo.ts';

export interface UnderWay {
  /** For a script of the test's own. */
  readonly row: Row;
  /** Once they have ended, one way or another. */
  settled(): Promise<unknown>;
}

/** Whether a call writes to the log of requests. */
export function isLogWrite({ operation, input }: Call): boolean {
  return operation === 'UpdateItem' && JSON.stringify(input.Key?.pk)?.includes('#REQUESTS') === true;
}

export function writesUnderWay(): UnderWay {
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
