/** The log fields of a request, also before its caller is authenticated. */
import { expect, test, vi } from 'vitest';
import { fail } from '../../../core/errors.ts';
import type { HttpResult } from '../../../core/http/context.ts';
import { publicAccess, serve } from '../../../core/http/serve.ts';
import { log } from '../../../core/log.ts';
import { call, httpEvent, lambdaContext } from '../../support/http.ts';

const opened = (answer: () => Promise<HttpResult> = async () => ({ statusCode: 204 })) =>
  serve('GET /things', publicAccess(), answer);

/** The fields of a log line that is written now. */
function fieldsNow(): Record<string, unknown> {
  const lines: string[] = [];
  const spies = [
    vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(String(line))),
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0),
  ];
  log.warn('hello');
  for (const spy of spies) spy.mockRestore();
  return JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;
}

test('The header X-Request-Id is the request id of the API gateway, or else the id of the Lambda invocation', async () => {
  const { requestContext, ...bare } = httpEvent({});
  const named = await opened()({ ...bare, requestContext }, lambdaContext);
  expect(named.headers).toMatchObject({ 'X-Request-Id': requestContext.requestId });
  const nameless = await opened()(bare as Parameters<ReturnType<typeof opened>>[0], lambdaContext);
  expect(nameless.headers).toMatchObject({ 'X-Request-Id': lambdaContext.awsRequestId });
});

test('Log fields of one request never appear in log lines of the next request of the Lambda container, even after an error', async () => {
  vi.spyOn(log, 'info').mockImplementation(() => {});
  const leaving = opened(async () => {
    log.appendKeys({ left: 'behind' });
    throw fail('not_found');
  });
  await call(leaving, {});
  expect(fieldsNow()).not.toHaveProperty('left');
  // An aborted request did not clean up its fields.
  log.appendKeys({ left: 'behind' });
  let during: Record<string, unknown> = {};
  await call(
    opened(async () => {
      during = fieldsNow();
      return { statusCode: 204 };
    }),
    {},
  );
  expect(during).not.toHaveProperty('left');
});
