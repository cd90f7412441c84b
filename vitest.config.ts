import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/assembly.ts'],
    // Two cores is the smallest machine; more workers than that only fight over the engines they start.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      METRICS_NAMESPACE: 'test',
      // What goes well is said often; a test that wants to hear it listens.
      POWERTOOLS_LOG_LEVEL: 'WARN',
      REQUEST_TIMEOUT_MS: '60000',
    },
  },
});
