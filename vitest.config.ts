import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    environment: 'node',
    // A title shows the whole path of an endpoint, where the default cuts it after 40 characters.
    taskTitleValueFormatTruncate: 0,
    isolate: false,
    setupFiles: ['test/support/fresh-modules.ts'],
    globalSetup: ['test/support/assembly.ts'],
    sequence: { sequencer: LongestFirst },
    // Two cores is the smallest machine. A third worker has them while the others wait for an emulator or for a clock.
    // A fourth made all of them slower.
    maxWorkers: 3,
    // Enough for almost every test on a slow and busy machine, so that few tests state their own.
    testTimeout: 600_000,
    // Some wait until another file has synthesised the app.
    hookTimeout: 600_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    env: {
      AWS_REGION: 'eu-central-1',
      // The SDK prefers a profile to the access key.
      AWS_PROFILE: '',
      AWS_DEFAULT_PROFILE: '',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      METRICS_NAMESPACE: 'test',
      // Only warnings are printed; a test that needs more sets its own level.
      POWERTOOLS_LOG_LEVEL: 'WARN',
      REQUEST_TIMEOUT_MS: '60000',
      // For programs that tests start: Node 24.0, which Macs with an Apple chip get, warns of features that later
      // versions call stable.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`,
    },
  },
});
