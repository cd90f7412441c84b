/** The costs of logs in docs/cost.md: the bytes that a request and a delivery write, counted. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { runWithRequestId } from '../../core/cause.ts';
import { log } from '../../core/log.ts';
import { accessLogFields } from '../../lib/constructs/gateway.ts';
import { at, ownerOf } from '../support/account.ts';
import { context, Pipeline } from '../support/pipeline.ts';
import { newTenant } from '../support/pipeline-state.ts';
import { expectRecordedPart, within } from '../support/recorded.ts';
import { useTestBusiness } from '../support/test-business.ts';

const fixture = useTestBusiness();

const dollarsOfGigabyte = 0.5;
/** Lambda's own lines for an invocation: one at the start, and one with its duration and memory. */
const platformBytes = 620;
/** The bytes of the gateway's access log, with values of normal length. */
const accessBytes = JSON.stringify(accessLogFields).length;
/** The context of a function in an account. */
const deployed = {
  functionName: 'booking-prod-deliver-webhook-deliveries',
  functionVersion: '$LATEST',
  memoryLimitInMB: '512',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:booking-prod-deliver-webhook-deliveries',
  awsRequestId: '7f0f3ca6-9a5b-4f0b-8a14-0a2d3b1c5e6f',
};
/** An id in the format of the gateway. */
const requestId = 'JKJaXmPLvHcESHA=';

/** Counts the bytes of lines that functions write from now on. */
function countLogBytes(): () => number {
  let bytes = 0;
  log.setLogLevel('INFO');
  const write = (line: string | Uint8Array) => {
    bytes += String(line).startsWith('{"level"') ? String(line).length : 0;
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(write));
  const inConsole = vi.spyOn(console, 'info').mockImplementation((line) => void write(String(line)));
  onTestFinished(() => {
    log.setLogLevel('WARN');
    for (const spy of [...spies, inConsole]) spy.mockRestore();
  });
  return () => bytes;
}

async function requestBytes(): Promise<{ read: number; change: number }> {
  const { key } = await fixture.tenant();
  const owner = ownerOf(key.tenantId);
  const { id } = (await owner('createClient', { body: { name: 'Jane', phone: '+371 2000 0000' } })).json as {
    id: number;
  };
  const bytesSoFar = countLogBytes();
  await owner('getClient', at(id));
  const read = bytesSoFar();
  await owner('updateClient', { ...at(id), body: { name: 'Janet' } });
  const own = { read, change: bytesSoFar() - read };
  return { read: own.read + accessBytes + platformBytes, change: own.change + accessBytes + platformBytes };
}

async function deliveryBytes(webhooks: number, events: number): Promise<number> {
  Object.assign(context, deployed);
  let invocations = 0;
  const counted = <A extends unknown[], R>(run: (...args: A) => R) => {
    return (...args: A) => {
      invocations += 1;
      return run(...args);
    };
  };
  const pipeline = new Pipeline({
    sweeper: false,
    functions: ({ relay, plan, deliver }) => ({
      relay: counted(relay),
      plan: counted(plan),
      deliver: counted(deliver),
    }),
  });
  onTestFinished(() => pipeline.end());
  const { tenantId } = await newTenant(webhooks);
  for (let i = 0; i < events; i++) await runWithRequestId(requestId, () => pipeline.raise(tenantId));
  const bytesSoFar = countLogBytes();
  await pipeline.run(pipeline.now);
  pipeline.end();
  expect(pipeline.posts).toHaveLength(webhooks * events);
  return (bytesSoFar() + invocations * platformBytes) / (webhooks * events);
}

test('docs/cost.md shows how many bytes an API request and a webhook delivery write to the logs', async () => {
  const { read, change } = await requestBytes();
  const rows = [
    ['a request that only reads data', read],
    ['a request that changes data', change],
    ['a delivery of ten events at once, each for ten webhooks', await deliveryBytes(10, 10)],
    ['a delivery of one event alone, for one webhook', await deliveryBytes(1, 1)],
  ] as const;
  const table = [
    '| | Bytes | A million |',
    '|---|---|---|',
    ...rows.map(([name, bytes]) => {
      const rounded = Math.round(bytes / 10) * 10;
      return `| ${name} | ${rounded} | $${((rounded / 1_000) * dollarsOfGigabyte).toFixed(2)} |`;
    }),
  ].join('\n');
  // Batches vary: a difference of one line is allowed.
  expectRecordedPart('docs/cost.md', 'logs', table, within(0.15, 0.03));
  expect(rows[2][1]).toBeLessThan(400);
});
