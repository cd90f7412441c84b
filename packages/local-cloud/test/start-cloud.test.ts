import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LogLine } from '../src/log.ts';
import { type Cloud, type CloudOptions, startCloud } from '../src/start-cloud.ts';
import { adminClient, changed, fixtureAssembly, started, temporaryFolder } from './fixture-assembly.ts';

const assembly = fixtureAssembly();

let shared: Cloud;
beforeAll(async () => {
  shared = await startCloud({ assembly, visibilitySeconds: 1 });
});
afterAll(() => shared.stop());

async function call(run: Cloud, path: string, init: RequestInit = {}) {
  const response = await fetch(`${run.baseUrl}${path}`, init);
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) };
}

/** Resolves with the first line that the predicate accepts, in the log already or written later. */
function waitForLog(run: Cloud, predicate: (line: LogLine) => boolean): Promise<LogLine> {
  const before = run.log.lines.find(predicate);
  if (before) return Promise.resolve(before);
  return new Promise((resolve) => {
    const end = run.log.subscribe((line) => {
      if (!predicate(line)) return;
      end();
      resolve(line);
    });
  });
}

const refused = (options: Partial<CloudOptions>) =>
  startCloud({ assembly, ...options }).then(
    async (run) => {
      await run.stop();
      return 'it started';
    },
    (error: Error) => error.message,
  );

describe('the local API', () => {
  test('In a local run, a function gets X-Forwarded headers with the address, port and protocol that its caller used', async () => {
    const { body } = await call(shared, '/do/headers');
    expect(body).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-port': new URL(shared.baseUrl).port,
      'x-forwarded-proto': 'http',
    });
  });

  test('In a local run, a function has the environment variables of its template, of Lambda and of the AWS endpoint, and no others', async () => {
    const { body } = await call(shared, '/do/environment');
    expect(body).toContain('AWS_LAMBDA_FUNCTION_NAME');
    expect(body.filter((name: string) => !name.startsWith('AWS_LAMBDA_')).join(' ')).toBe(
      'AWS_ACCESS_KEY_ID AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_EXECUTION_ENV AWS_REGION AWS_SECRET_ACCESS_KEY ' +
        'AWS_SESSION_TOKEN LAMBDA_TASK_ROOT TABLE TZ _HANDLER',
    );
  });

  test.each([
    ['to the route of a function', '/do/hello?name=Anna', 200, { greeting: 'Hello, Anna' }],
    ['for an unknown path', '/nothing', 404, { message: 'Not Found' }],
    ['whose path cannot be decoded', '/do/%zz', 400, { message: 'Bad Request' }],
    ['whose path is no UTF-8', '/do/%F0%9F', 400, { message: 'Bad Request' }],
    ['whose query cannot be decoded', '/do/hello?c=%zz', 200, { greeting: 'Hello, you' }],
    ['to a route that may not invoke its function', '/closed/hello', 500, { message: 'Internal Server Error' }],
    ['to a route whose IAM role may invoke the function', '/trusted/hello', 200, { greeting: 'Hello, you' }],
  ])('In a local run, a request %s gets the same response as in AWS', async (_, path, status, body) => {
    expect(await call(shared, path)).toEqual({ status, body });
  });

  test.each([
    ['may invoke only another function', 'powerless'],
    ['the gateway may not assume', 'foreign'],
  ])('In a local run, a request to a route whose IAM role %s gets a 500, and the log shows why', async (_, path) => {
    expect(await call(shared, `/${path}/hello`)).toEqual({ status: 500, body: { message: 'Internal Server Error' } });
    const denied = await waitForLog(shared, ({ kind, text }) => kind === 'denied' && text.includes(`/${path}/`));
    expect(denied?.text).toBe(`apigateway.amazonaws.com has no permission to invoke App-Api for GET /${path}/{deed}.`);
  });

  test.each([
    ['throws an error', 'fail'],
    ['ends its process', 'crash'],
    ['exceeds its time-out', 'wait'],
    ['exceeds its memory', 'fill'],
  ])('In a local run, a request whose function %s gets status 500, and the next request is served', async (_, path) => {
    // Two seconds are too few for the calls of other tests on a busy machine.
    const impatient = { assembly, mutateTemplates: changed('Api', { Timeout: 2 }) };
    const run = path === 'wait' ? await started(impatient) : shared;
    expect(await call(run, `/do/${path}`)).toEqual({ status: 500, body: { message: 'Internal Server Error' } });
    expect((await call(run, '/do/hello')).status).toBe(200);
  });

  test('A local request with more than 10 240 bytes of headers gets status 431, and a request body beyond 10 MB gets 413', async () => {
    const headers = { 'x-long': 'a'.repeat(10_240) };
    expect(await call(shared, '/do/hello', { headers })).toEqual({
      status: 431,
      body: { message: 'Request Header Fields Too Large' },
    });
    const body = 'a'.repeat(10 * 1_024 * 1_024 + 1);
    expect(await call(shared, '/do/hello', { method: 'POST', body })).toEqual({
      status: 413,
      body: { message: 'Request Entity Too Large' },
    });
  });

  test("In a local run, a request or response above Lambda's limit of 6 MB leads to status 500", async () => {
    const megabytes = (count: number) => count * 1_024 * 1_024;
    const responded = async (count: number) => (await fetch(`${shared.baseUrl}/do/letters?count=${count}`)).status;
    const requested = async (count: number) =>
      (await call(shared, '/do/hello', { method: 'POST', body: 'a'.repeat(count) })).status;
    expect([await responded(megabytes(5)), await responded(megabytes(6))]).toEqual([200, 500]);
    expect([await requested(megabytes(5)), await requested(megabytes(6))]).toEqual([200, 500]);
  });

  test('In a local run, a function has at most four containers at the same time, and further requests wait', async () => {
    const counts = await Promise.all(Array.from({ length: 40 }, () => call(shared, '/do/count')));
    expect(counts.every(({ status }) => status === 200)).toBe(true);
    // The first invocation of each container returns 1.
    expect(counts.filter(({ body }) => Number(body) === 1).length).toBeLessThanOrEqual(4);
  });
});

describe('policies of functions', () => {
  test("In a local run, an AWS call that the function's policy does not allow is refused and logged", async () => {
    const { body } = await call(shared, '/to/plain-1/remove', { method: 'POST' });
    const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/App-Items';
    const message = `User: arn:aws:sts::000000000000:assumed-role/App-ApiRole/App-Api is not authorized to perform: dynamodb:DeleteItem on resource: ${table} because no identity-based policy allows the dynamodb:DeleteItem action`;
    expect(body).toEqual({ status: 400, answer: { __type: 'AccessDeniedException', message } });
    expect(
      await waitForLog(shared, ({ kind, text }) => kind === 'denied' && text.includes('DeleteItem')),
    ).toMatchObject({ functionName: 'App-Api', text: message });
  });
});

describe('events from a table to a function', () => {
  const worked =
    (pk: string, receives = 1) =>
    ({ text }: LogLine) =>
      text === `worked ${pk} ${receives}`;

  test('In a local run, an insert into a DynamoDB table reaches a function through a stream, an event bus, a rule and a queue', async () => {
    await call(shared, '/to/wanted-1/put', { method: 'POST' });
    expect(await waitForLog(shared, worked('wanted-1'))).toMatchObject({
      functionName: 'App-Worker',
      kind: 'function',
    });
  });

  test('An event that does not match the pattern of a local EventBridge rule reaches no target', async () => {
    await call(shared, '/to/other-2/put', { method: 'POST' });
    await call(shared, '/to/wanted-2/put', { method: 'POST' });
    await waitForLog(shared, worked('wanted-2'));
    expect(shared.log.lines.some(worked('other-2'))).toBe(false);
  });

  test('In a local run, a queue message whose function keeps failing is retried and then moved to the dead-letter queue', async () => {
    const sqs = adminClient(SQSClient, shared);
    await call(shared, '/to/wanted-bad/put', { method: 'POST' });
    const QueueUrl = `${shared.awsEndpoint}/000000000000/work-dead`;
    let dead: { detail: { pk: string } };
    do {
      // Another test's message may be dead as well, when the machine was too busy to work it off in a second.
      const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10 }));
      dead = JSON.parse(Messages?.[0]?.Body ?? '{"detail":{}}');
    } while (dead.detail.pk !== 'wanted-bad');
    expect(dead).toMatchObject({ version: '0', source: 'fixture', 'detail-type': 'wanted', account: '000000000000' });
    expect(shared.log.lines.some(worked('wanted-bad', 2))).toBe(true);
  });
});

describe('limits that the emulators do not enforce', () => {
  test('The local SQS refuses a delay above 900 seconds, in a single message and in a batch', async () => {
    const sqs = adminClient(SQSClient, shared);
    const QueueUrl = `${shared.awsEndpoint}/000000000000/work-dead`;
    await expect(sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a', DelaySeconds: 901 }))).rejects.toThrow(
      'Value 901 for parameter DelaySeconds is invalid',
    );
    const Entries = [901, 900].map((DelaySeconds) => ({ Id: String(DelaySeconds), MessageBody: 'a', DelaySeconds }));
    const { Successful, Failed } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Successful?.map(({ Id }) => Id)).toEqual(['900']);
    expect(Failed?.map(({ Id, Code }) => [Id, Code])).toEqual([['901', 'InvalidParameterValue']]);
  });

  test('A local PutEvents call succeeds even if an entry is invalid, and reports the error of that entry', async () => {
    const events = adminClient(EventBridgeClient, shared);
    const good = { EventBusName: 'fixture', Source: 'a', DetailType: 'b', Detail: '{}' };
    const answer = await events.send(new PutEventsCommand({ Entries: [good, { ...good, Detail: 'no' }] }));
    expect(answer.FailedEntryCount).toBe(1);
    expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([undefined, 'MalformedDetail']);
  });

  test('A local PutEvents call is refused if its entries have more than 256 KB of UTF-8, without the escapes of the request', async () => {
    const events = adminClient(EventBridgeClient, shared);
    const send = (data: unknown) => {
      const entry = { EventBusName: 'fixture', Source: 'a', DetailType: 'b', Detail: JSON.stringify({ data }) };
      return events.send(new PutEventsCommand({ Entries: [entry] }));
    };
    await expect(send('ž'.repeat(131_072))).rejects.toThrow('over the limit');
    expect(await send(Array(80_000).fill(''))).toMatchObject({ FailedEntryCount: 0 });
  });
});

describe('starts that fail', () => {
  test('A local run whose port is in use ends with a one-sentence error', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    onTestFinished(() => {
      other.close();
    });
    expect(await refused({ port })).toBe(
      `Port ${port} is in use: stop what listens there, or choose another one with --port.`,
    );
  });

  test('A local run whose data folder cannot be written ends with a one-sentence error', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(await refused({ dataDir: join(file, 'data') })).toMatch(/^The data folder .* cannot be written \(ENOTDIR\)/);
  });

  test('A local run with a damaged template ends with a one-sentence error', async () => {
    const assembly = (folder: string) => writeFile(join(folder, 'manifest.json'), '{"artifacts":');
    expect(await refused({ assembly })).toMatch(/^The cloud assembly is damaged \(.*\): synthesise it again\.$/);
  });

  type Change = NonNullable<CloudOptions['mutateTemplates']>;

  /** Adds a schedule whose role trusts a service for one group, as the role that the CDK creates does. */
  function hourly(Service: string, group: string, target = 'Worker'): Change {
    return ([app]) => {
      const StringEquals = {
        'aws:SourceAccount': { Ref: 'AWS::AccountId' },
        'aws:SourceArn': { 'Fn::Sub': `arn:aws:scheduler:\${AWS::Region}:\${AWS::AccountId}:${group}` },
      };
      const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service }, Condition: { StringEquals } };
      const Target = { Arn: { 'Fn::GetAtt': [target, 'Arn'] }, RoleArn: { 'Fn::GetAtt': ['HourlyRole', 'Arn'] } };
      const invoke = { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: Target.Arn };
      const Policies = [{ PolicyName: 'own', PolicyDocument: { Statement: [invoke] } }];
      Object.assign(app?.resources ?? {}, {
        HourlyRole: {
          Type: 'AWS::IAM::Role',
          Properties: { AssumeRolePolicyDocument: { Statement: [trust] }, Policies },
        },
        Hourly: { Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression: 'rate(1 hour)', Target } },
      });
    };
  }

  test('A schedule without an input sends the default event of EventBridge Scheduler to its function', async () => {
    const intervals = vi.spyOn(globalThis, 'setInterval');
    onTestFinished(() => intervals.mockRestore());
    const mutateTemplates: Change = (templates) => {
      hourly('scheduler.amazonaws.com', 'schedule-group/default')(templates);
      changed('Worker', { Handler: 'index.print' })(templates);
    };
    const cloud = await started({ assembly, mutateTemplates });
    for (const [fire, ms] of intervals.mock.calls) if (ms === 3_600_000) fire();
    const { text } = await waitForLog(cloud, ({ kind }) => kind === 'function');
    expect(JSON.parse(text)).toMatchObject({
      source: 'aws.scheduler',
      resources: ['arn:aws:scheduler:us-east-1:000000000000:schedule/default/App-Hourly'],
      detail: '{}',
    });
  });

  test('A local run supports throttled routes, schedule groups, and queues whose visibility timeout equals the function timeout', async () => {
    const mutateTemplates: Change = (templates) => {
      changed('Stage', { RouteSettings: { 'GET /closed/hello': {} } })(templates);
      changed('Work', { VisibilityTimeout: 3 })(templates);
      hourly('scheduler.amazonaws.com', 'schedule-group/default')(templates);
    };
    expect(await refused({ mutateTemplates })).toBe('it started');
  });

  test.each<[string, string, string | Change]>([
    ['an emulator that does not answer', 'No DynamoDB endpoint answers at http://127.0.0.1:1.', 'http://127.0.0.1:1'],
    [
      'an event source whose role may not poll',
      'App-Worker is not authorized to perform: sqs:ReceiveMessage',
      changed('WorkerRole', { Policies: [] }),
    ],
    [
      'a function that may read the stream of an encrypted table, but not decrypt the table',
      'is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:us-east-1:000000000000:key/the-key',
      changed('Items', { Replicas: [{ Region: 'us-east-1', SSESpecification: { KMSMasterKeyId: 'the-key' } }] }),
    ],
    [
      'an API stage with settings for a route that does not exist',
      'settings for GET /gone',
      changed('Stage', { RouteSettings: { 'GET /gone': {} } }),
    ],
    [
      'an event source with a BatchSize above ten and no batching window',
      'Lambda refuses a BatchSize above 10 without a window (WorkSource).',
      changed('WorkSource', { BatchSize: 11 }),
    ],
    [
      'a queue whose visibility timeout is shorter than the timeout of its function',
      'visibility timeout (2 seconds) is shorter than the timeout of its function (3 seconds): WorkSource.',
      changed('Work', { VisibilityTimeout: 2 }),
    ],
    [
      'a function that may not write into its shared log group',
      'The function App-Api has no permission for logs:CreateLogStream in its log group shared-lines.',
      ([app]) => {
        const policies = app?.resources.ApiRole?.Properties?.Policies as { PolicyDocument: { Statement: unknown[] } }[];
        policies[0]?.PolicyDocument.Statement.pop();
      },
    ],
    [
      'a function whose role Lambda may not assume',
      'The role of AWS::Lambda::Function (Worker) does not allow Lambda to assume it.',
      changed('Worker', { Role: { 'Fn::GetAtt': ['TrustedRole', 'Arn'] } }),
    ],
    [
      'a schedule whose role EventBridge Scheduler may not assume',
      'The role of AWS::Scheduler::Schedule (Hourly) does not allow EventBridge Scheduler to assume it.',
      hourly('lambda.amazonaws.com', 'schedule-group/default'),
    ],
    [
      'a schedule whose role EventBridge Scheduler may assume only for another schedule group',
      'The role of AWS::Scheduler::Schedule (Hourly) does not allow EventBridge Scheduler to assume it.',
      hourly('scheduler.amazonaws.com', 'schedule-group/other'),
    ],
    [
      'a schedule whose target is a queue',
      'The local run does not support the target arn:aws:sqs:us-east-1:000000000000:work of AWS::Scheduler::Schedule (Hourly).',
      hourly('scheduler.amazonaws.com', 'schedule-group/default', 'Work'),
    ],
    ...['Allow', 'Deny'].map((Effect): [string, string, Change] => [
      `a policy with the effect ${Effect} and an unknown condition key`,
      'The local run does not support the condition key dynamodb:LeadingKeys in the policy of ApiRole.',
      ([app]) => {
        const policies = app?.resources.ApiRole?.Properties?.Policies as { PolicyDocument: { Statement: unknown[] } }[];
        const Condition = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['a'] } };
        policies[0]?.PolicyDocument.Statement.push({ Effect, Action: 'dynamodb:GetItem', Resource: '*', Condition });
      },
    ]),
  ])('A local run refuses to start with %s, and its error names the cause', async (_, message, change) => {
    const options = typeof change === 'string' ? { emulatorUrl: change } : { mutateTemplates: change };
    expect(await refused(options)).toContain(message);
  });
});

test('A local run that reuses a data folder finds the data of the previous run, and handles no stream record a second time', async () => {
  const dataDir = temporaryFolder();
  const first = await startCloud({ assembly, dataDir });
  await call(first, '/to/wanted-kept/put', { method: 'POST' });
  await waitForLog(first, ({ text }) => text.startsWith('worked wanted-kept'));
  // A stop before the last acknowledgement brings things once more, as everywhere: at least once.
  const sqs = adminClient(SQSClient, first);
  const QueueUrl = `${first.awsEndpoint}/000000000000/work`;
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  await vi.waitFor(
    async () => {
      readFileSync(join(dataDir, 'stream-checkpoints.json'));
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
      );
      expect(Object.values(Attributes ?? {})).toEqual(['0', '0']);
    },
    { timeout: 60_000 },
  );
  await first.stop();

  const second = await started({ assembly, dataDir });
  const db = adminClient(DynamoDBClient, second);
  const TableName = 'App-Items';
  const { Item } = await db.send(new GetItemCommand({ TableName, Key: { pk: { S: 'wanted-kept' } } }));
  expect(Item).toEqual({ pk: { S: 'wanted-kept' } });
  await db.send(new PutItemCommand({ TableName, Item: { pk: { S: 'wanted-new' } } }));
  await waitForLog(second, ({ text }) => text.startsWith('worked wanted-new'));
  expect(second.log.lines.some(({ text }) => text.startsWith('worked wanted-kept'))).toBe(false);
});

test('After a local run has stopped, no port answers and nothing keeps the process alive', async () => {
  const handles = () =>
    process.getActiveResourcesInfo().filter((name) => /Process|Worker|MessagePort|Timeout/.test(name)).length;
  const before = handles();
  const run = await startCloud({ assembly });
  await call(run, '/do/hello');
  await run.stop();
  await run.stop();
  await expect(fetch(run.baseUrl)).rejects.toThrow();
  await expect(fetch(run.awsEndpoint)).rejects.toThrow();
  expect(handles()).toBeLessThanOrEqual(before);
});
