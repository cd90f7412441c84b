/** Puts something between one of a verb's reads and what follows, where a race would put it by chance. */
import { dynamo } from '../../core/clients.ts';

export interface BetweenReads {
  /** After the answer to which command: the first that this holds for. */
  readonly after: (command: string, input: Readonly<Record<string, unknown>>) => boolean;
  /** What comes next. Its own calls pass. */
  readonly next: () => Promise<unknown>;
}

/** Runs `verb` with something between one of its reads and what follows. */
export async function overtaken<T>({ after, next: then }: BetweenReads, verb: () => Promise<T>): Promise<T> {
  let waiting = true;
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answered = await next(args);
        if (!waiting || !after(commandName ?? '', args.input as Readonly<Record<string, unknown>>)) return answered;
        waiting = false;
        await then();
        return answered;
      },
    { name: 'overtaken', step: 'initialize', override: true },
  );
  try {
    return await verb();
  } finally {
    dynamo().middlewareStack.remove('overtaken');
  }
}
