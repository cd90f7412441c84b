/**
 * Stores received events in a file of lines, so that none is lost or processed twice when the program stops in between.
 * If you have a database, use a table of it; its unique index replaces the set of ids that is kept in memory here.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A line: a stored event, or the id of a finished one. */
type Line<Event> = { readonly taken: Event } | { readonly done: string };

export interface Inbox<Event> {
  /** Resolves when the event is on the disk, with whether it is new. The work starts afterwards. */
  take(event: Event): Promise<boolean>;
  /** Resolves when the running work has ended. */
  close(): Promise<void>;
}

/** Starts with the unfinished events of an earlier run. `work` is called for one event after the other. */
export async function openInbox<Event extends { readonly id: string }>(
  file: string,
  work: (event: Event) => Promise<void>,
): Promise<Inbox<Event>> {
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = linesOf<Event>(text);
  const done = new Set(lines.flatMap((line) => ('done' in line ? [line.done] : [])));
  const taken = lines.flatMap((line) => ('taken' in line ? [line.taken] : []));
  const seen = new Set(taken.map(({ id }) => id));

  await mkdir(dirname(file), { recursive: true });
  // Events contain personal data: only the user of this program may read the file, even if it existed before.
  const log = await open(file, 'a', 0o600);
  await log.chmod(0o600);
  const write = async (line: Line<Event>) => {
    // The line end is in front: an incomplete line, left by a crash or a full disk, must not corrupt the next one.
    await log.appendFile(`\n${JSON.stringify(line)}`);
    await log.datasync();
  };

  let last = Promise.resolve();
  const workOn = (event: Event) => {
    last = last
      .then(() => work(event))
      .then(() => write({ done: event.id }))
      // The event stays unfinished, and the next run tries it again.
      .catch((error: unknown) => console.error(`${event.id} failed:`, error));
  };
  for (const event of taken) if (!done.has(event.id)) workOn(event);

  /** Ids that are being written, so that a concurrent duplicate waits for the first. */
  const writing = new Map<string, Promise<void>>();
  return {
    async take(event) {
      if (seen.has(event.id)) return false;
      const earlier = writing.get(event.id);
      if (earlier) {
        await earlier;
        return false;
      }
      const written = write({ taken: event });
      writing.set(event.id, written);
      try {
        await written;
        seen.add(event.id);
      } finally {
        writing.delete(event.id);
      }
      workOn(event);
      return true;
    },
    async close() {
      await last;
      await log.close();
    },
  };
}

/** The event of an incomplete line had no response, so it is sent again. */
function linesOf<Event>(text: string): Line<Event>[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line<Event>];
    } catch {
      return [];
    }
  });
}
