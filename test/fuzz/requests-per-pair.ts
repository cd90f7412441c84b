/**
 * After so many requests to two businesses, two new ones take over. This file imports nothing, so that
 * `npm run prove -- fuzz --help` does not load the fuzz tests.
 */
export const requestsPerPair = 2_000;
