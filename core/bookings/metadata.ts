/** An integrator's own strings in a booking or a client (docs/rules.md#metadata). */
import { limits } from '../../contract/limits.ts';
import { invalid } from '../errors.ts';

type Metadata = Readonly<Record<string, string>>;

/** The metadata after a change: null removes an entry. 400 `validation_failed` for too many entries. */
export function withMetadata(
  before: Metadata = {},
  changes: Readonly<Record<string, string | null>> = {},
): Record<string, string> {
  const entries = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  if (entries.length > limits.metadataEntries) {
    const message = `must leave at most ${limits.metadataEntries} entries`;
    throw invalid('metadata', message);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
