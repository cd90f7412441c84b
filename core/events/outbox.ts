/** The end of an event's life in the outbox. */
import { chunksOf } from '../chunks.ts';
import { deletesPerCall, deleteTogether } from '../store/delete-each.ts';
import { type EventPosition, records } from '../table-keys.ts';

/** Deletes events that need nothing more, in batches; what cannot be deleted is noted in `failures` and comes back. */
export async function closeOutbox(events: readonly EventPosition[], failures: Map<number, Error>): Promise<void> {
  await Promise.all(
    chunksOf(events, deletesPerCall).map((chunk) =>
      noting(chunk, failures, () => deleteTogether('records', chunk.map(records.outbox))),
    ),
  );
}

async function noting(events: readonly EventPosition[], failures: Map<number, Error>, run: () => Promise<void>) {
  try {
    await run();
  } catch (error) {
    for (const { id } of events) failures.set(id, new Error('The event stays in the outbox', { cause: error }));
  }
}
