/** The digits of amounts by ISO 4217. Browsers differ: Chromium has no minor units for ALL, HUF, PKR and others. */
const codes: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Returns how many digits of an amount in minor units follow the decimal separator: 2 for EUR, 0 for JPY. */
export function minorDigits(currency: string): number {
  return Number(Object.entries(codes).find(([, all]) => all.includes(currency))?.[0] ?? 2);
}
