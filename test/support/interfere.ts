/** Puts something between a verb's reads and its commit, where a race would put it by chance. */
import type { Write } from '../../core/store/transact.ts';
import { scripted } from './scripted-dynamo.ts';

export { unconditional } from './unconditional.ts';

export interface Interference {
  /** Which commit: the first whose writes this holds for. */
  readonly when: (writes: readonly Write[]) => boolean;
  /** What comes first. Its own commits pass. */
  readonly first: () => Promise<unknown>;
  /** An injected bug: what is committed in the place of the verb's writes. */
  readonly instead?: (writes: readonly Write[]) => Write[];
}

/** Runs `verb` with one interference. */
export const interfering = <T>({ when, first, instead }: Interference, verb: () => Promise<T>): Promise<T> =>
  scripted(
    [
      {
        when: ({ operation, input }) => operation === 'TransactWriteItems' && when(input.TransactItems ?? []),
        nth: 1,
        before: first,
        answer: ({ input }, send) =>
          send(instead ? { ...input, TransactItems: instead(input.TransactItems ?? []) } : input),
      },
    ],
    verb,
  );
