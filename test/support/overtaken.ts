/** Puts something between one of a verb's reads and what follows, where a race would put it by chance. */
import { dynamo } from '../../core/clients.ts';

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
export async function overtaken<T>({ after, before, next: then }: BetweenReads, verb: () => Promise<T>): Promise<T> {
  let waiting = true;
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input = args.input as Readonly<Record<string, unknown>>;
        if (waiting && before?.(commandName ?? '', input)) {
          waiting = false;
          await then();
        }
        const answered = await next(args);
        if (!waiting || !after?.(commandName ?? '', input)) return answered;
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
