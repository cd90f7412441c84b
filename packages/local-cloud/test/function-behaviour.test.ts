/** Behaviour of Lambda that a machine that only runs the function would hide. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { describeFaults, drawFaults, type Faults, parseFaults } from '../src/faults.ts';
import type { Cloud } from '../src/start-cloud.ts';
import { adminClient, changed, fixtureAssembly, started } from './fixture-assembly.ts';

const assembly = fixtureAssembly();

async function call<T = unknown>({ baseUrl }: Cloud, path: string): Promise<T> {
  return (await (await fetch(`${baseUrl}${path}`, { method: 'POST' })).json()) as T;
}

describe('a container between a response and the next invocation', () => {
  /** A function that continues after its response, with a timer of one millisecond and calls, unless it is frozen. */
  async function answered(handler: string): Promise<Cloud> {
    const cloud = await started({
      assembly,
      mutateTemplates: changed('Api', { Handler: handler, ReservedConcurrentExecutions: 1 }),
    });
    expect(await call(cloud, '/do/linger')).toBe('answered');
    return cloud;
  }

  test('Between two invocations, a function of a local run is frozen: it runs no timer and makes no AWS call', async () => {
    const cloud = await answered('index.api');
    // A long poll of an empty queue lasts a second.
    const QueueUrl = `${cloud.awsEndpoint}/000000000000/work-dead`;
    await adminClient(SQSClient, cloud).send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));
    expect(cloud.log.lines.map(({ text }) => text)).toContain('lingering');
    const { ticks, called } = await call<{ ticks: number; called: number }>(cloud, '/do/ticks');
    // What was due comes at most once, when the container thaws.
    expect(ticks).toBeLessThanOrEqual(3);
    expect(called).toBeLessThanOrEqual(3);
  });

  test('Negative control: if Lambda containers are not frozen between invocations, a function makes calls after its response', async () => {
    const cloud = await answered('never-frozen.api');
    await expect.poll(() => cloud.log.lines.map(({ text }) => text)).toContain('went on');
  });
});

test('In a local run, as in Lambda, a CommonJS function runs in a project of ES modules, but cannot load packages of the project', async () => {
  const project = fixtureAssembly();
  const write = (file: string, text: string) => writeFileSync(join(project, file), text);
  write('package.json', '{"type":"module"}');
  mkdirSync(join(project, 'node_modules/beside'), { recursive: true });
  write('node_modules/beside/index.js', 'export const here = true;');
  const code = `[
    require('./part.js') + require('node:path').posix.sep,
    await (async () => require('beside'))().catch(({ message }) => message),
    await import('beside').catch(({ message }) => message),
  ]`;
  write('code/bundle.js', `exports.api = async () => ${code};`);
  write('code/part.js', 'module.exports = 7;');
  const cloud = await started({ assembly: project, mutateTemplates: changed('Api', { Handler: 'bundle.api' }) });
  const missing = 'The code of App-Api does not contain the package beside.';
  expect(await call(cloud, '/do/hello')).toEqual(['7/', missing, missing]);
});

describe('concurrent pollers of a queue', () => {
  const count = 40;

  /** The sizes of the batches that the worker got of 40 messages. */
  async function batchSizes(mapping: Record<string, unknown>): Promise<number[]> {
    const cloud = await started({
      assembly,
      mutateTemplates: (templates) => {
        changed('Worker', { Handler: 'index.slowWorker' })(templates);
        changed('WorkSource', { FunctionResponseTypes: undefined, ...mapping })(templates);
      },
    });
    const sizes: number[] = [];
    const all = new Promise<void>((resolve) => {
      const end = cloud.log.subscribe(({ text }) => {
        const [, size] = /^together (\d+)$/.exec(text) ?? [];
        if (size === undefined) return;
        sizes.push(Number(size));
        if (sizes.reduce((sum, one) => sum + one, 0) < count) return;
        end();
        resolve();
      });
    });
    const QueueUrl = `${cloud.awsEndpoint}/000000000000/work`;
    const client = adminClient(SQSClient, cloud);
    for (let sent = 0; sent < count; sent += 10) {
      const Entries = Array.from({ length: 10 }, (_, i) => ({ Id: String(i), MessageBody: `${sent + i}` }));
      await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    }
    await all;
    return sizes;
  }

  test('Without a batching window, a function of a local run gets at most `BatchSize` messages at once', async () => {
    expect(Math.max(...(await batchSizes({ BatchSize: 10 })))).toBeLessThanOrEqual(10);
  });

  test('With a batching window, messages of a local queue are split among several batches, because the queue has several pollers', async () => {
    const sizes = await batchSizes({ BatchSize: 100, MaximumBatchingWindowInSeconds: 1 });
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(count);
  });

  test('Negative control: if a local queue has only one poller, one batch contains all messages of the queue', async () => {
    const ScalingConfig = { MaximumConcurrency: 1 };
    // The batch is complete before the window ends.
    expect(await batchSizes({ BatchSize: count, MaximumBatchingWindowInSeconds: 60, ScalingConfig })).toEqual([count]);
  });
});

describe('injected faults', () => {
  test('In a local run with injected faults, AWS calls of functions fail, are late or get no response, but tests call AWS as usual', async () => {
    // This seed draws each fault once, and `half-open` twice, of which one call is carried out.
    const cloud = await started({
      assembly,
      faults: { throttle: 0.25, fail: 0.25, slow: 0.25, 'half-open': 0.25, seed: 187 },
    });
    const meet = (pk: string, withinMs = 15_000) => call(cloud, `/to/${pk}/meet?withinMs=${withinMs}`);
    expect(await meet('throttled')).toBe('ProvisionedThroughputExceededException');
    expect(await meet('failed')).toBe('InternalServerError');
    const began = performance.now();
    expect(await meet('late')).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
    expect(await Promise.all([meet('silent-1', 1_000), meet('silent-2', 1_000)])).toEqual(['no answer', 'no answer']);
    const db = adminClient(DynamoDBClient, cloud);
    await db.send(new PutItemCommand({ TableName: 'App-Items', Item: { pk: { S: 'own' } } }));
    const { Items = [] } = await db.send(new ScanCommand({ TableName: 'App-Items' }));
    const stored = Items.map(({ pk }) => pk?.S ?? '').sort();
    expect(stored).toEqual(['late', 'own', expect.stringMatching(/^silent-[12]$/)]);
  });

  const fates = (faults: Faults, calls = 10_000) => {
    const next = drawFaults(faults);
    return Array.from({ length: calls }, () => next('one', 'PutItem')?.kind);
  };

  test('A local run injects faults into AWS calls at the requested rates', () => {
    const drawn = fates({ throttle: 0.05, 'half-open': 0.01 });
    const share = (kind: string) => drawn.filter((one) => one === kind).length / drawn.length;
    expect(share('throttle')).toBeCloseTo(0.05, 2);
    expect(share('half-open')).toBeCloseTo(0.01, 2);
    expect(share('slow')).toBe(0);
    expect(fates({ throttle: 0, seed: 3 }).filter(Boolean)).toEqual([]);
  });

  test('The random seed alone decides which faults a local run injects into a function, whatever other functions do', () => {
    const faults = { throttle: 0.3, seed: 7 };
    const next = drawFaults(faults);
    const amongOthers = Array.from({ length: 100 }, () => {
      next('another', 'PutItem');
      next('one', 'GetItem');
      return next('one', 'PutItem')?.kind;
    });
    expect(amongOthers).toEqual(fates(faults, 100));
    expect(fates({ ...faults, seed: 8 }, 100)).not.toEqual(fates(faults, 100));
  });

  test('A local run prints in plain words which faults the setting on its command line injects', () => {
    const faults = parseFaults('throttle=0.05,half-open=0.01,seed=7');
    expect(faults).toEqual({ throttle: 0.05, 'half-open': 0.01, seed: 7 });
    expect(describeFaults(faults)).toBe(
      "of the functions' calls, 5 % refused as throttled, 1 % without a response, though half of them took effect (seed 7)",
    );
  });

  const invalid = ['throttle', 'throttle=2', 'throttle=-1', 'seed=0.5', 'thunder=0.1', 'throttle=0.6,slow=0.6', 'a=1,'];
  test.each([['an empty fault setting', ''], ...invalid.map((text) => [`the invalid fault setting ${text}`, text])])(
    'A local run refuses %s with a one-sentence error',
    (_, text) => {
      expect(() => parseFaults(text)).toThrow(/^('.*' is no fault: give .*|The shares of .* add up to more than 1)\.$/);
    },
  );
});
