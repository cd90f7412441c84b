/** Reads events in the outbox, and removes them. */
import { chunksOf } from '../chunks.ts';
import type { ItemRequest } from '../store/batch-get.ts';
import { deletesPerCall, deleteTogether } from '../store/delete-each.ts';
import { type EventPosition, records } from '../table-keys.ts';

export function inOutbox(event: EventPosition): ItemRequest {
  return { store: 'records', key: records.outbox(event) };
}

/** An event for which a step has failed. */
export interface EventFailure {
  readonly id: number;
  readonly error: Error;
}

/** Deletes finished events in batches. Returns those that could not be deleted. */
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
