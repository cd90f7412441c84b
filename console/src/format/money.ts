/** Minor units and a currency, as people write them. */
import { strings } from '../strings/strings.ts';
import { numberFormat } from './formats.ts';

interface Money {
  /** Minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
}

/** How many minor units a major one has: 100 of EUR, 1 of JPY. */
function minorUnits(currency: string): number {
  const { maximumFractionDigits = 2 } = formatOf(currency).resolvedOptions();
  return 10 ** maximumFractionDigits;
}

/** `€45.00`. */
export function money({ amount, currency }: Money): string {
  return formatOf(currency).format(amount / minorUnits(currency));
}

function formatOf(currency: string): Intl.NumberFormat {
  return numberFormat({ style: 'currency', currency });
}

/** `€`, or the code where there is no sign for it. */
export function currencySymbol(currency: string): string {
  const parts = numberFormat({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** An amount for a program, without its currency: `45.00`, `45.50`, `980` of JPY. */
export function plainMoney({ amount, currency }: Money): string {
  const units = minorUnits(currency);
  return (amount / units).toFixed(digitsOf(units));
}

/** The same as it is typed into a field: with a comma where the language has one. */
export function typedMoney({ amount, currency }: Money): string {
  const units = minorUnits(currency);
  const digits = digitsOf(units);
  const format = numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
  return format.format(amount / units);
}

/**
 * Minor units of what was typed or pasted: `45`, `45,5`, `1.250,50` and `1,250.50` alike. Nothing of an empty text; `NaN`
 * of what is no amount, or has more decimals than the currency.
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

/** Why the owner must change an amount that has to be above zero. */
export function amountProblem(amount: number | undefined, currency: string): string | undefined {
  if (amount === 0) return strings.app.zeroMoney;
  return amount === undefined || Number.isNaN(amount) ? notMoney(currency) : undefined;
}

export const notMoney = (currency: string) => strings.app.notMoney(typedMoney({ amount: 4_500, currency }));

const digitsOf = (units: number) => Math.round(Math.log10(units));
