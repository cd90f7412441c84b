/** Prices of use in US dollars per million, of us-east-1 as of November 2026; `docs/cost.md` has the same. */
export const prices = {
  writeUnit: 0.625,
  readUnit: 0.125,
  httpRequest: 1,
  queueRequest: 0.4,
  invocation: 0.2,
  gigabyteSecond: 13.3334,
} as const;
