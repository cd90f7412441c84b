/** Formats prices, times and errors. */
const dayMs = 86_400_000;

/** @param {{ amount: number, currency: string }} price */
export function money({ amount, currency }) {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Times carry the offset of the business, so their digits are what its clocks show. @param {string} time */
export const clock = (time) => time.slice(11, 16);

/** @param {string} date @param {Intl.DateTimeFormatOptions} [style] */
export function day(date, style = { weekday: 'long', day: 'numeric', month: 'long' }) {
  return new Date(`${date.slice(0, 10)}T00:00:00Z`).toLocaleDateString(undefined, { ...style, timeZone: 'UTC' });
}

/** @param {string} date @param {number} days */
export const plus = (date, days) => new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

const problems = {
  offline: 'We could not connect. Check your internet connection.',
  connection_failed: 'Booking is not available right now. Try again in a moment.',
  timeout: 'Booking is not available right now. Try again in a moment.',
  temporarily_unavailable: 'Booking is not available right now. Try again in a moment.',
  rate_limit_exceeded: 'Many people are booking at the moment. Try again in a minute.',
  hold_expired: 'Your reserved time has expired. Choose it again if it is still free.',
};

/** @param {{ code: string }} error */
export const wordsFor = ({ code }) =>
  problems[/** @type {keyof typeof problems} */ (code)] ?? 'Something went wrong on our side. Try again.';
