/** Random and hostile requests over both APIs, as bytes through the gateway. `npm run prove -- fuzz` sends more of them. */
import { describe, expect, test } from 'vitest';
import { reasons } from '../../contract/errors.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { judgeMemory } from '../fuzz/memory.ts';
import { publishedOperations } from '../fuzz/published.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';
import { injected } from '../support/injected.ts';
import { withLocal } from '../support/local.ts';

const seed = 1;

describe('random requests', () => {
  const local = withLocal({ workersPerFunction: 1 });

  test('Random requests get documented responses, with a status below 500', async () => {
    const report = await fuzz(local().run, { requests: 2_000, seed });
    expect(report.violations).toEqual([]);
    // The requests cover everything: each operation refuses some, many succeed, and each status below 500 occurs.
    const operations = publishedOperations().map(({ operationId }) => operationId);
    const seenWith = (from: number, to: number) =>
      new Set(
        [...report.seen]
          .map((one) => one.split(' '))
          .filter(([, status]) => Number(status) >= from && Number(status) < to)
          .map(([id]) => id),
      );
    const [succeeded, refused] = [seenWith(200, 300), seenWith(400, 500)];
    expect(operations.filter((id) => !refused.has(id))).toEqual([]);
    expect(operations.filter((id) => !succeeded.has(id)).length).toBeLessThan(0.6 * operations.length);
    // 410 needs an expired message, and 422 one Idempotency-Key with two accepted bodies: both are too rare in random
    // requests.
    const statuses = Object.keys(reasons)
      .map(Number)
      .filter((status) => status < 500 && status !== 410 && status !== 422);
    expect(statuses.filter((status) => !report.byStatus[status])).toEqual([]);
  });

  test('The fuzz test reports a request without a response, unless Ctrl-C has interrupted the test', async () => {
    const interrupted = new AbortController();
    const baseUrl = await serveDuringTest(({ socket }) => {
      interrupted.abort();
      socket.destroy();
    });
    const run = { ...local().run, baseUrl };
    expect((await fuzz(run, { requests: 12, seed, signal: interrupted.signal })).violations).toEqual([]);
    expect((await fuzz(run, { requests: 12, seed })).byRule).toHaveProperty('no answer');
  });
});

describe('random requests to functions with injected bugs', () => {
  const throwsOn = (condition: string) =>
    `async (event, context) => { if (${condition}) throw new Error('injected'); return real(event, context); }`;
  const local = withLocal({
    workersPerFunction: 1,
    mutateTemplates: injected({
      // A handler that cannot read a repeated parameter.
      '-list-services': throwsOn('/(?:^|&)page=.*&page=/.test(event.rawQueryString)'),
      // A response without a documented field.
      '-get-business':
        'async (event, context) => { const answer = await real(event, context); return answer.statusCode === 200 ? { ...answer, body: answer.body.replace(\'"currency"\', \'"money"\') } : answer; }',
      // An error without its required headers.
      '-list-staff':
        "async (event, context) => { const answer = await real(event, context); delete answer.headers['X-RateLimit-Reset']; return answer; }",
    }),
  });

  test('Negative control: the fuzz test reports a crash, a missing field in a response, and a missing header in an error', async () => {
    const wrong = new Set(['getBusiness', 'listServices', 'listStaff']);
    const only = ({ operationId, api }: { operationId: string; api: string }) =>
      api === 'integration' && wrong.has(operationId);
    const { byRule } = await fuzz(local().run, { requests: 300, seed, only });
    const expected = ['an answer is as documented', 'no 5xx', 'the owed headers are there'];
    expect(Object.keys(byRule)).toEqual(expect.arrayContaining(expected));
  });
});

test('Negative control: the fuzz test reports a leak if memory keeps growing, and none if it stops growing', () => {
  const sizes = (sizeOf: (nth: number) => number) => Array.from({ length: 40 }, (_, nth) => sizeOf(nth));
  expect(judgeMemory(sizes((nth) => 900 + 20 * nth)).grows).toBe(true);
  expect(judgeMemory(sizes((nth) => (nth < 10 ? 100 * nth : 900 + (nth % 7) * 30))).grows).toBe(false);
});
