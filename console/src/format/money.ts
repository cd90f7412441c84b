/** Formats and parses amounts in minor units. */
import { minorDigits } from '../../../client/src/element/minor-units.ts';
import { strings } from '../strings/strings.ts';
import { numberFormat } from './formats.ts';

interface Money {
  /** The amount in minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
}

/** Formats an amount as `€45.00`. */
export function money({ amount, currency }: Money): string {
  const digits = minorDigits(currency);
  const format = numberFormat({ style: 'currency', currency, ...exactly(digits) });
  return format.format(amount / 10 ** digits);
}

const exactly = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns `€`, or the code if the currency has no symbol. */
export function currencySymbol(currency: string): string {
  const parts = numberFormat({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Formats an amount for programs, without its currency: `45.00`, `45.50`, or `980` for JPY. */
export function plainMoney({ amount, currency }: Money): string {
  const digits = minorDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

/** Formats an amount for an input field, with the decimal separator of the language. */
export function typedMoney({ amount, currency }: Money): string {
  const digits = minorDigits(currency);
  return numberFormat({ ...exactly(digits), useGrouping: false }).format(amount / 10 ** digits);
}

/**
 * Parses an amount to minor units: `45`, `45,5`, `1.250,50` and `1,250.50`. Undefined for an empty text; `NaN` if the
 * text is not an amount, has more decimals than the currency, or may mean thousands or decimals, as `12,345` does.
 */
export function readMoney(text: string, currency: string): number | undefined {
  const plain = text.replace(/[\s\u00a0\u202f'’]/g, '');
  if (plain === '') return undefined;
  const digits = minorDigits(currency);
  const whole = '(\\d+|[1-9]\\d{0,2}(?:(?:\\.\\d{3})+|(?:,\\d{3})+))';
  const withDecimals = digits === 0 ? null : new RegExp(`^${whole}[.,](\\d{1,${digits}})$`).exec(plain);
  const [, major, minor = ''] = withDecimals ?? new RegExp(`^${whole}$`).exec(plain) ?? [];
  if (major === undefined) return Number.NaN;
  const amount = Number(major.replace(/[.,]/g, '')) * 10 ** digits + Number(minor.padEnd(digits, '0'));
  // With three decimals or more, the field itself shows amounts in this form.
  const isShown = typedMoney({ amount, currency }).startsWith(plain);
  const isAmbiguous = digits > 0 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(plain) && !isShown;
  return isAmbiguous ? Number.NaN : amount;
}

/** Returns the error of an amount that must be above zero. */
export function amountProblem(amount: number | undefined, currency: string): string | undefined {
  if (amount === 0) return strings.app.zeroMoney;
  return amount === undefined || Number.isNaN(amount) ? notMoney(currency) : undefined;
}

export const notMoney = (currency: string) => strings.app.notMoney(typedMoney({ amount: 125_050, currency }));
