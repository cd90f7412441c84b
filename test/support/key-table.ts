/** A table with one key, for tests of what runs before a handler. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, vi } from 'vitest';
import { dynamo } from '../../core/clients.ts';
import { setRuntime } from '../../core/clock.ts';
import { createKeyValue } from '../../core/keys/key-value.ts';

/** The time at which each test begins, in epoch milliseconds. */
export const noon = Date.parse('2026-12-01T12:00:10.000Z');

/** Creates a new, accepted key for each test: no test uses a key that the container has cached. */
export function useKeyTable(scopes: readonly string[] = []) {
  const table = mockClient(dynamo());
  const item = { pk: 'hash', id: 5, tenantId: 7, status: 'active', scopes, origins: [], test: false };
  let value = '';
  const accept = (attributes: object = {}) => {
    table.on(UpdateCommand).resolves({ Attributes: { ...item, 'm#29950320': 1, ...attributes } });
  };

  beforeEach(() => {
    table.reset();
    vi.stubEnv('TABLE_KEYS', 'keys');
    vi.stubEnv('TABLE_RECORDS', 'records');
    setRuntime();
    value = createKeyValue({ test: false });
    setRuntime({ now: () => noon });
    accept();
  });
  afterEach(() => {
    setRuntime();
    vi.unstubAllEnvs();
  });
  return {
    table,
    item,
    /** Makes the table return the key with these additional attributes. */
    accept,
    key: () => value,
  };
}
