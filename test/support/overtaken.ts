/** Puts something between one of a verb's reads and what follows, where a race would put it by chance. */
import { scripted } from './scripted-dynamo.ts';

type Which = (command: string, input: Readonly<Record<string, unknown>>) => boolean;

export interface BetweenReads {
  /** After the answer to which command: the first that this holds for. */
  readonly after?: Which;
  /** Or before which command. */
  readonly before?: Which;
  /** What comes next. Its own calls pass. */
  readonly next: () => Promise<unknown>;
}

/** Runs `verb` with something between one of its reads and what follows. */
export function overtaken<T>({ after, before, next }: BetweenReads, verb: () => Promise<T>): Promise<T> {
  const which = before ?? after;
  return scripted(
    [
      {
        when: ({ operation, input }) => which?.(`${operation}Command`, input) ?? false,
        nth: 1,
        [before ? 'before' : 'after']: next,
      },
    ],
    verb,
  );
}
