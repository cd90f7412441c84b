/** What the account does to a function and a machine that only runs it would hide. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeFaults, drawFaults, type Faults, parseFaults } from '../src/faults.ts';
import { adminClientOptions, type Cloud, type CloudOptions, startCloud } from '../src/start-cloud.ts';
import { fixtureAssembly } from './fixture-assembly.ts';

const assembly = fixtureAssembly();

async function started(options: Partial<CloudOptions>): Promise<Cloud> {
  const cloud = await startCloud({ assembly, ...options });
  onTestFinished(() => cloud.stop());
  return cloud;
}

async function call<T = unknown>({ baseUrl }: Cloud, path: string): Promise<T> {
  return (await (await fetch(`${baseUrl}${path}`, { method: 'POST' })).json()) as T;
}

function queueClient(cloud: Cloud): SQSClient {
  const client = new SQSClient(adminClientOptions(cloud));
  onTestFinished(() => client.destroy());
  return client;
}

const changed =
  (name: string, properties: Record<string, unknown>) =>
  ([app]: Parameters<NonNullable<CloudOptions['mutateTemplates']>>[0]): void => {
    Object.assign(app?.resources[name]?.Properties ?? {}, properties);
  };

describe('a container between a response and the next invocation', () => {
  /** A function that goes on after its answer, with a timer of one millisecond and calls, if it is not frozen. */
  async function answered(handler: string): Promise<Cloud> {
    const cloud = await started({
      mutateTemplates: changed('Api', { Handler: handler, ReservedConcurrentExecutions: 1 }),
    });
    expect(await call(cloud, '/do/linger')).toBe('answered');
    return cloud;
  }

  test('Between two invocations, a function runs no timer and makes no AWS call', async () => {
    const cloud = await answered('index.api');
    // A long poll of an empty queue lasts a second.
    const QueueUrl = `${cloud.awsEndpoint}/000000000000/work-dead`;
    await queueClient(cloud).send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));
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

describe('the project around the code of a function', () => {
  /** Writes a handler into a project of ES modules that has the package `beside`, and returns its response. */
  async function answerOf(code: string): Promise<unknown> {
    const project = fixtureAssembly();
    const write = (file: string, text: string) => writeFileSync(join(project, file), text);
    write('package.json', '{"type":"module"}');
    mkdirSync(join(project, 'node_modules/beside'), { recursive: true });
    write('node_modules/beside/index.js', 'export const here = true;');
    write('code/bundle.js', `exports.api = async () => { ${code} };`);
    write('code/part.js', 'module.exports = 7;');
    const mutateTemplates = changed('Api', { Handler: 'bundle.api' });
    return call(await started({ assembly: project, mutateTemplates }), '/do/hello');
  }

  test('A function that is a CommonJS bundle runs even in a project of ES modules, as in Lambda', async () => {
    expect(await answerOf("return require('./part.js') + require('node:path').posix.sep;")).toBe('7/');
  });

  test.each(["require('beside')", "await import('beside')"])(
    'A function cannot load a package from outside its own code with %s',
    async (load) => {
      const code = `try { ${load}; return 'found'; } catch (error) { return error.message; }`;
      expect(await answerOf(code)).toBe('The code of App-Api does not contain the package beside.');
    },
  );
});

describe('concurrent pollers of a queue', () => {
  const count = 40;

  /** The sizes of the batches that the worker got of 40 messages. */
  async function batchSizes(mapping: Record<string, unknown>): Promise<number[]> {
    const cloud = await started({
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
    const client = queueClient(cloud);
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

  test('With a batching window, each poller of a local queue collects messages for its own batch', async () => {
    const sizes = await batchSizes({ BatchSize: 100, MaximumBatchingWindowInSeconds: 1 });
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(count);
  });

  test('Negative control: if a queue has a single poller, one batch contains all messages of the queue', async () => {
    const ScalingConfig = { MaximumConcurrency: 1 };
    // The batch is complete before the window ends.
    expect(await batchSizes({ BatchSize: count, MaximumBatchingWindowInSeconds: 60, ScalingConfig })).toEqual([count]);
  });

  test('A local run does not start with a BatchSize above ten and no batching window, which AWS would refuse too', async () => {
    await expect(startCloud({ assembly, mutateTemplates: changed('WorkSource', { BatchSize: 11 }) })).rejects.toThrow(
      'Lambda refuses a BatchSize above 10 without a window (WorkSource).',
    );
  });

  test('A local run does not start with a queue whose visibility timeout is shorter than the timeout of its function', async () => {
    const start = (VisibilityTimeout: number) =>
      started({ visibilitySeconds: 1, mutateTemplates: changed('Work', { VisibilityTimeout }) });
    await expect(start(2)).rejects.toThrow(
      'Lambda refuses a queue whose visibility timeout (2 seconds) is shorter than the timeout of its function (3 seconds): WorkSource.',
    );
    await start(3);
  });
});

describe('injected faults', () => {
  const meet = (cloud: Cloud, { pk = 'a', withinMs = 15_000 } = {}) =>
    call(cloud, `/to/${pk}/meet?withinMs=${withinMs}`);

  test.each<[string, string, Faults, unknown]>([
    ['throttle', 'fails as throttled', { throttle: 1 }, 'ProvisionedThroughputExceededException'],
    ['fail', 'fails with an error of AWS', { fail: 1 }, 'InternalServerError'],
  ])(
    "With the injected fault %s, a function's AWS call %s, and the administrator's calls succeed",
    async (...[, , faults, met]) => {
      const cloud = await started({ faults });
      expect(await meet(cloud)).toBe(met);
      const db = new DynamoDBClient(adminClientOptions(cloud));
      onTestFinished(() => db.destroy());
      await db.send(new PutItemCommand({ TableName: 'App-Items', Item: { pk: { S: 'b' } } }));
    },
  );

  test('An AWS call with the injected fault `slow` is carried out one second later', async () => {
    const cloud = await started({ faults: { slow: 1 } });
    const began = performance.now();
    expect(await meet(cloud)).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  test('AWS calls with the injected fault `half-open` get no response, and only some of them are carried out', async () => {
    const cloud = await started({ faults: { 'half-open': 1 } });
    const pks = Array.from({ length: 8 }, (_, i) => `silent-${i}`);
    const answers = await Promise.all(pks.map((pk) => meet(cloud, { pk, withinMs: 3_000 })));
    expect(answers).toEqual(pks.map(() => 'no answer'));
    const db = new DynamoDBClient(adminClientOptions(cloud));
    onTestFinished(() => db.destroy());
    const { Count } = await db.send(new ScanCommand({ TableName: 'App-Items' }));
    expect(Count).toBeGreaterThan(0);
    expect(Count).toBeLessThan(pks.length);
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

  test('The seed alone decides which faults a local run injects into a function, whatever other functions do', () => {
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

  test('A fault setting on the command line of a local run is parsed and described in plain words', () => {
    const faults = parseFaults('throttle=0.05,half-open=0.01,seed=7');
    expect(faults).toEqual({ throttle: 0.05, 'half-open': 0.01, seed: 7 });
    expect(describeFaults(faults)).toBe(
      "of the functions' calls, 5 % refused as throttled, 1 % without a response, though half of them took effect (seed 7)",
    );
  });

  const invalid = ['throttle', 'throttle=2', 'throttle=-1', 'seed=0.5', 'thunder=0.1', 'throttle=0.6,slow=0.6', 'a=1,'];
  test.each([['An empty fault setting', ''], ...invalid.map((text) => [`The invalid fault setting ${text}`, text])])(
    '%s is refused with a one-sentence error',
    (_, text) => {
      expect(() => parseFaults(text)).toThrow(
        /^('.*' is no fault: give .*|The shares of .* are more than 1 together)\.$/,
      );
    },
  );
});
