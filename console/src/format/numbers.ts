/** Counts and shares, as people write them. */

const counts = new Intl.NumberFormat('en');
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** `12,345`. */
export const count = (value: number) => counts.format(value);

/** `97.5%` of 0.975. */
export const percent = (share: number) => percents.format(share);
