/** The end of an event's life in the outbox. */
import { chunksOf } from '../chunks.ts';
import { deletesPerCall, deleteTogether } from '../store/delete-each.ts';
import { type EventPosition, records } from '../table-keys.ts';

/** An event that a step went wrong for. */
export interface EventFailure {
  readonly id: number;
  readonly error: Error;
}

/** Deletes events that need nothing more, in batches. Returns those that could not be deleted. */
export async function closeOutbox(events: readonly EventPosition[]): Promise<readonly EventFailure[]> {
  const failures = chunksOf(events, deletesPerCall).map(async (chunk): Promise<readonly EventFailure[]> => {
    try {
      await deleteTogether('records', chunk.map(records.outbox));
      return [];
    } catch (cause) {
      return chunk.map(({ id }) => ({ id, error: new Error('The event stays in the outbox', { cause }) }));
    }
  });
  return (await Promise.all(failures)).flat();
}
