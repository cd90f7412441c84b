/** Minor units and a currency, as people write them. */

export interface Money {
  /** Minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
}

/** How many minor units a major one has: 100 of EUR, 1 of JPY. */
export function minorUnits(currency: string): number {
  const { maximumFractionDigits = 2 } = formatOf(currency).resolvedOptions();
  return 10 ** maximumFractionDigits;
}

/** `€45.00`. */
export function money({ amount, currency }: Money): string {
  return formatOf(currency).format(amount / minorUnits(currency));
}

function formatOf(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat('en', { style: 'currency', currency });
}
