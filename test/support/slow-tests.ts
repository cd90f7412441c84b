/** Tests that start the whole system, many emulators or a simulation. Quick commands omit them. */
export const slowTests: readonly string[] = [
  'test/{bench,bin,browser,journeys,lib,local,simulation}/**',
  'test/docs/cost.test.ts',
  'packages/local-cloud/test/{batch-failures,dynamodb-emulator,emulators,function-behaviour,security,sign-in,start-cloud}.test.ts',
  'packages/mutation/test/mutation.test.ts',
  'test/core/**/*{races,races-on-amazons,histories,faults,crash,hostile,ssrf}.test.ts',
];
