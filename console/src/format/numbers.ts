/** Formats counts and shares. */
import { numberFormat } from './formats.ts';

/** Formats a count: `12,345`. */
export const count = (value: number) => numberFormat({}).format(value);

/** Formats a number of stars: `4.2`. */
export const rating = (value: number) =>
  numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** Formats 0.975 as `97.5%`. */
export const percent = (share: number) => numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(share);
