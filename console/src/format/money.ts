/** Formats and parses amounts in minor units. */
import { strings } from '../strings/strings.ts';
import { numberFormat } from './formats.ts';

interface Money {
  /** The amount in minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
}

/** Returns how many minor units a major unit has: 100 for EUR, 1 for JPY. */
function minorUnits(currency: string): number {
  const { maximumFractionDigits = 2 } = formatOf(currency).resolvedOptions();
  return 10 ** maximumFractionDigits;
}

/** Formats an amount as `€45.00`. */
export function money({ amount, currency }: Money): string {
  return formatOf(currency).format(amount / minorUnits(currency));
}

function formatOf(currency: string): Intl.NumberFormat {
  return numberFormat({ style: 'currency', currency });
}

/** Returns `€`, or the code if the currency has no symbol. */
export function currencySymbol(currency: string): string {
  const parts = numberFormat({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Formats an amount for programs, without its currency: `45.00`, `45.50`, or `980` for JPY. */
export function plainMoney({ amount, currency }: Money): string {
  const units = minorUnits(currency);
  return (amount / units).toFixed(digitsOf(units));
}

/** Formats an amount for an input field, with the decimal separator of the language. */
export function typedMoney({ amount, currency }: Money): string {
  const units = minorUnits(currency);
  const digits = digitsOf(units);
  const format = numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
  return format.format(amount / units);
}

/**
 * Parses an amount to minor units: `45`, `45,5`, `1.250,50` and `1,250.50`. Undefined for an empty text; `NaN` if the
 * text is not an amount, or has more decimals than the currency.
 */
export function readMoney(text: string, currency: string): number | undefined {
  const plain = text.replace(/[\s\u00a0\u202f'’]/g, '');
  if (plain === '') return undefined;
  const units = minorUnits(currency);
  const digits = digitsOf(units);
  const whole = '(\\d+|[1-9]\\d{0,2}(?:[.,]\\d{3})+)';
  const withDecimals = digits === 0 ? null : new RegExp(`^${whole}[.,](\\d{1,${digits}})$`).exec(plain);
  const [, major, minor = ''] = withDecimals ?? new RegExp(`^${whole}$`).exec(plain) ?? [];
  if (major === undefined) return Number.NaN;
  return Number(major.replace(/[.,]/g, '')) * units + Number(minor.padEnd(digits, '0'));
}

/** Returns the error of an amount that must be above zero. */
export function amountProblem(amount: number | undefined, currency: string): string | undefined {
  if (amount === 0) return strings.app.zeroMoney;
  return amount === undefined || Number.isNaN(amount) ? notMoney(currency) : undefined;
}

export const notMoney = (currency: string) => strings.app.notMoney(typedMoney({ amount: 4_500, currency }));

const digitsOf = (units: number) => Math.round(Math.log10(units));
