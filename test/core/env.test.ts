/** The names of the variables are a contract with the stacks that set them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { env } from '../../core/env.ts';
import { defaultProvider } from '../../core/environment-credentials.ts';

const names = [
  ...['TABLE_RECORDS', 'QUEUE_EVENTS', 'EVENT_BUS', 'METRICS_NAMESPACE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ...[
    'AWS_SESSION_TOKEN',
    'AWS_LAMBDA_FUNCTION_NAME',
    'ALLOW_LOOPBACK_TARGETS',
    'TIME_SCALE',
    'REQUEST_TIMEOUT_MS',
    'ADDRESS_KEY',
  ],
];
beforeEach(() => {
  for (const name of names) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

test.each([
  ['TABLE_RECORDS', () => env.table('records')],
  ['QUEUE_EVENTS', () => env.queueUrl('events')],
  ['EVENT_BUS', () => env.eventBus()],
  ['METRICS_NAMESPACE', () => env.metricsNamespace()],
])('The environment variable %s is read at each call, and it is an error when it is missing', (name, read) => {
  expect(read).toThrow(name);
  vi.stubEnv(name, '');
  expect(read).toThrow(name);
  vi.stubEnv(name, 'mine');
  expect(read()).toBe('mine');
});

test('A function signs with the credentials of Lambda, and with a session token if there is one', async () => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  expect(env.credentials).toThrow('AWS_ACCESS_KEY_ID');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  const credentials = defaultProvider();
  expect(await credentials()).toStrictEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  expect(await credentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  expect(env.credentials).toThrow('AWS_SECRET_ACCESS_KEY');
});

test.each<[string, () => unknown, ...[value: string | undefined, expected: unknown][]]>([
  ['AWS_LAMBDA_FUNCTION_NAME', env.functionName, [undefined, 'local'], ['relay', 'relay']],
  ['ALLOW_LOOPBACK_TARGETS', env.allowsLoopbackTargets, [undefined, false], ['', false], ['1', false], ['true', true]],
  ['TIME_SCALE', env.timeScale, [undefined, 1], ['', 1], ['fast', 1], ['60', 60]],
  ['REQUEST_TIMEOUT_MS', env.requestTimeoutMs, [undefined, undefined], ['soon', undefined], ['900', 900]],
])('The environment variable %s may be left out', (name, read, ...cases) => {
  for (const [value, expected] of cases) {
    vi.stubEnv(name, value);
    expect(read(), String(value)).toBe(expected);
  }
});
