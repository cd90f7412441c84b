import { numberFormat } from './formats.ts';

const units = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Formats minutes as `45 min`, `1 hr 30 min` or `2 days`. */
export function minutes(length: number): string {
  const parts = units.flatMap(([unit, size], at) => {
    const left = at === 0 ? length : length % (units[at - 1]?.[1] ?? 1);
    const amount = Math.floor(left / size);
    return amount === 0 ? [] : [format(amount, unit)];
  });
  return parts.join(' ') || format(0, 'minute');
}

function format(amount: number, unit: 'day' | 'hour' | 'minute'): string {
  return numberFormat({ style: 'unit', unit, unitDisplay: 'short' }).format(amount);
}
