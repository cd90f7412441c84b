/** Counts and shares, as people write them. */
import { numberFormat } from './formats.ts';

/** `12,345`. */
export const count = (value: number) => numberFormat({}).format(value);

/** `4.2`: of stars. */
export const rating = (value: number) =>
  numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** `97.5%` of 0.975. */
export const percent = (share: number) => numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(share);
