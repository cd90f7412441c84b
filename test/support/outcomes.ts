/** The results of concurrent calls. */
import { ApiError } from '../../core/errors.ts';

export interface Outcomes<T> {
  readonly won: readonly T[];
  readonly lost: readonly ApiError[];
  /** The error codes of refused calls. Other errors are rethrown. */
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

/** The results of that many calls that start at once. `call` gets their numbers from 0. */
export function atOnce<T>(count: number, call: (nth: number) => Promise<T>): Promise<Outcomes<T>> {
  return outcomes(Array.from({ length: count }, (_, nth) => call(nth)));
}
