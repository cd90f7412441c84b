/** What became of calls that were made at once. */
import { ApiError } from '../../core/errors.ts';

export interface Outcomes<T> {
  readonly won: readonly T[];
  readonly lost: readonly ApiError[];
  /** Codes of the refusals. What is not a refusal is rethrown. */
  readonly codes: readonly string[];
}

export async function outcomes<T>(calls: readonly Promise<T>[]): Promise<Outcomes<T>> {
  const settled = await Promise.allSettled(calls);
  const won = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const lost = settled.flatMap((one) => {
    if (one.status === 'fulfilled') return [];
    if (one.reason instanceof ApiError) return [one.reason];
    throw one.reason;
  });
  return { won, lost, codes: lost.map(({ code }) => code) };
}
