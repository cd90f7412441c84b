/** Tests that start the whole system, engines by the dozen, or a simulation: what is to be quick leaves them out. */
export const slowTests: readonly string[] = [
  'test/{bench,bin,browser,journeys,lib,local,simulation}/**',
  'test/docs/{cost,readme}.test.ts',
  'test/core/**/*{races,races-on-amazons,histories,faults,crash,hostile,ssrf}.test.ts',
];
