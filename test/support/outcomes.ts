/** The results of concurrent calls. */
import { ApiError } from '../../core/errors.ts';

/** The results of successful calls, and the errors of refused ones with their codes. Other errors are rethrown. */
export async function outcomes<T>(calls: readonly Promise<T>[]) {
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
export function atOnce<T>(count: number, call: (nth: number) => Promise<T>) {
  return outcomes(Array.from({ length: count }, (_, nth) => call(nth)));
}
