const rules = new Intl.PluralRules('lv');

/** Returns the word form for a count, which may be formatted: `0 rezervāciju`, `1 rezervācija`, `2 rezervācijas`. */
export function plural(count: number | string, zero: string, one: string, other: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { zero, one };
  return `${count} ${forms[rules.select(Number(String(count).replace(/\D/g, '')))] ?? other}`;
}
