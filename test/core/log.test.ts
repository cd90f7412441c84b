import { expect, test, vi } from 'vitest';
import { createKeyValue } from '../../core/keys/key-value.ts';
import { log, redact } from '../../core/log.ts';
import { emit } from '../../core/metrics.ts';

const secrets = [
  createKeyValue({ test: false }),
  createKeyValue({ test: true }),
  'whsec_c2VjcmV0c2VjcmV0+/A=',
  'Bearer abc.def.ghi',
];

function linesOf(write: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const level = log.getLevelName();
  log.setLogLevel('INFO');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  write();
  log.setLogLevel(level);
  for (const line of lines) expect(line).toMatch(/^\{.*\}\n$/);
  return lines.map((line) => JSON.parse(line));
}

test('A log line contains the service and the ids of its request, but no API key, signing secret or Authorization value at any depth', () => {
  const ids = { requestId: 'r-1', operation: 'POST /webhooks', keyId: 4, tenantId: 7, code: 'not_found' };
  const fields = {
    ...ids,
    headers: { authorization: 'Basic dTpw', 'x-api-key': secrets[0] },
    error: { cause: { message: `Authorization: ${secrets[3]}`, list: secrets } },
    cause: new Error(`no room for ${secrets[0]}`, { cause: { Item: { a: 'hidden' } } }),
  };
  const [line] = linesOf(() => log.info(`failed for ${secrets.join(' and ')}`, fields));
  const logged = JSON.stringify(line);
  expect(logged).toContain('failed for [redacted]');
  expect(logged).toContain('no room for [redacted]');
  for (const secret of secrets) expect(logged).not.toContain(secret.replace(/^Bearer /, ''));
  for (const secret of ['dTpw', 'hidden']) expect(logged).not.toContain(secret);
  expect(line).toMatchObject({ service: 'booking', ...ids });
});

const hidden = ['authorization', 'X-API-Key', 'Cookie', 'secret', 'password', 'token', 'body', 'rawBody'];
hidden.push('Item', 'Items', 'CancellationReasons', '$response');
test.each(hidden)(
  'The value of a log field is redacted if the field is named %s, and not if this word is only a part of the name',
  (name) => {
    expect(redact(name, { any: 'thing' })).toBe('[redacted]');
    for (const longer of [`my${name}`, `${name}Id`]) expect(redact(longer, 7)).toBe(7);
  },
);

test.each([
  ['key bk_live_Ab9 end', 'key [redacted] end'],
  ['bk_test_0-bk_live_z, bk_other_1', '[redacted]-[redacted], bk_other_1'],
  ['session bs_test_Ab9&booking=1', 'session [redacted]&booking=1'],
  ['"whsec_Ab+/9=="', '"[redacted]"'],
  ['a bearer  x.y-z" of the Bearer', 'a [redacted]" of the Bearer'],
  ['Forbearer none', 'Forbearer none'],
])('The text %j appears in the log as %j', (text, shown) => {
  expect(redact('message', text)).toBe(shown);
});

test('A metric is logged in the format that CloudWatch expects', () => {
  expect(linesOf(() => emit({ Count: { DeliveriesOverdue: 0 } }))).toMatchObject([
    {
      DeliveriesOverdue: 0,
      _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: 'DeliveriesOverdue', Unit: 'Count' }] }] },
    },
  ]);
});
