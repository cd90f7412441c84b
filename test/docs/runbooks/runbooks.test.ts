/**
 * The commands of the runbooks run: as shell, with operations and parameters that AWS has, and with names of the
 * templates. Those that a local endpoint supports run against it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { noticesQueue, queues } from '../../../contract/system/queues.ts';
import type { Attempt } from '../../../core/deliveries/attempt/attempt.ts';
import { attemptMetrics } from '../../../core/deliveries/attempt/attempt-metrics.ts';
import { deliveryId } from '../../../core/deliveries/model/delivery-id.ts';
import { webhookShards } from '../../../core/table-keys.ts';
import { canaryHandlers } from '../../../lib/handlers.ts';
import { stageNamed } from '../../../lib/stage.ts';
import { type Program, runCommands, shorthand } from '../../../local/page-commands.ts';
import type { LocalRun } from '../../../local/start-local.ts';
import { adminClientOptions } from '../../../packages/local-cloud/src/start-cloud.ts';
import { withLocal } from '../../support/local.ts';
import { synthesised, synthesisedAs } from '../../support/synthesised.ts';
import { variants } from '../../support/variants.ts';
import { type Call, fakeAws } from './fake-aws.ts';

const local = withLocal();

/** Why an AWS service is not available here: one machine has no monitoring, billing, logs or backups. */
const onlyInAccount: Readonly<Record<string, string>> = {
  apigatewayv2: 'the limits of the local gateway are those of the templates',
  ce: 'what was spent is known to AWS alone',
  cloudformation: 'the local run stands templates up by itself, without stacks that are changed',
  cloudfront: 'the local run has no edge: it serves the pages itself',
  cloudtrail: 'the local run keeps no trail',
  cloudwatch: 'metrics are lines of the log here',
  'cognito-idp': 'the local run signs what it is asked to sign',
  events: 'rules cannot be changed while the local run lives',
  kms: 'nothing is encrypted here',
  lambda: 'functions are started and stopped with the local run',
  logs: 'lines go to the screen',
  'service-quotas': 'one machine has no quotas',
  sns: 'nobody subscribes to alarms here',
  xray: 'nothing is traced here',
};
const runsLocally = ['sqs', 'dynamodb'];

const folder = new URL('../../../docs/', import.meta.url);
const pages = [...readdirSync(new URL('runbooks/', folder)).map((page) => `runbooks/${page}`), 'operating.md'];

interface Block {
  readonly name: string;
  readonly text: string;
}

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(new URL(page, folder), 'utf8');
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ''], i) => ({
    name: `${page}, block ${i + 1}`,
    // These are filled in by the reader.
    text: block.replace(/<[^>\n]+>/g, 'placeholder').replaceAll('…', 'placeholder'),
  }));
}

/** A reader runs all commands of a page in one shell. */
const whole = pages.map((page) => ({
  name: page,
  text: blocksOf(page)
    .map(({ text }) => text)
    .join('\n'),
}));

/** Runs a block with fakes for all commands that would leave the machine. Throws with the block's output. */
async function run({ text }: Block, system?: LocalRun) {
  const calls: Call[] = [];
  const nothing = () => undefined;
  const programs = { npx: nothing, npm: nothing, curl: nothing, git: nothing, sleep: nothing };
  // The page restore.md defines these, and regions.md uses them, too.
  const restore = { programs: { limit_apis: nothing }, environment: { PIPELINE: 'sweep' } };
  const all = { ...programs, ...restore.programs, aws: fakeAws(calls, system) };
  const stdout = await runCommands(text, all, restore.environment);
  return { stdout, calls };
}

test('The commands of all runbooks use only AWS operations, parameters and resource names that exist', async () => {
  const assembly = await synthesisedAs(variants['all settings']);
  // A stage with tables and a key from before it was deleted has no resources for them.
  const again = await synthesisedAs(variants['existing tables']);
  const all = [assembly, again].map(({ resources }) => JSON.stringify(resources));
  const stacks = [assembly, await synthesisedAs(variants.replicas)]
    .flatMap(({ folder }) => readdirSync(folder))
    .join('\n')
    .toLowerCase();
  const isDeployed = (name: string) =>
    all.every((one) => one.includes(`"${name}"`)) ||
    stacks.includes(name.replace(/^booking-prod-/, '').replaceAll('-', ''));
  const withAlias = canaryHandlers.map((handler) => handler.replace(/^\w+\//, 'booking-prod-'));
  const problems: string[] = [];
  for (const block of whole) {
    try {
      for (const { service, operation, given } of (await run(block)).calls) {
        if (!runsLocally.includes(service) && !onlyInAccount[service]) problems.push(`${block.name}: ${service}`);
        for (const flag of ['function-name', 'queue-name', 'stack-name', 'event-bus-name', 'rule', 'key-id']) {
          const [name = ''] = given[flag] ?? [];
          if (name.includes('booking-prod') && !isDeployed(name)) {
            problems.push(`${block.name}: ${operation} --${flag} ${name}`);
          }
        }
        // An existing user pool, for example, is no resource of the stack.
        const [type] = /'AWS::[\w:]+'/.exec(given.query?.[0] ?? '') ?? [];
        if (type && !all.every((one) => one.includes(type.replaceAll("'", '"'))))
          problems.push(`${block.name}: ${operation} finds no ${type}`);
        // The mappings of a function with canary deployments belong to its alias, so its name alone lists none.
        const [name = ''] = given['function-name'] ?? [];
        if (operation === 'list-event-source-mappings' && withAlias.some((one) => name.startsWith(one))) {
          problems.push(`${block.name}: ${operation} lists nothing for ${name}`);
        }
      }
    } catch (error) {
      problems.push(`${block.name}: ${(error as { stderr?: string }).stderr ?? error}`);
    }
  }
  expect(problems).toEqual([]);
});

test('The commands of the runbook dead-letters.md count and purge the messages of all dead-letter queues of a local run', async () => {
  const { run: system } = local();
  const [look, , empty] = blocksOf('runbooks/dead-letters.md');
  if (!look || !empty) throw new Error('The page has three blocks');
  const { stdout } = await run(look, system);
  for (const queue of ['events', 'deliveries', 'retries', 'erasures', 'notices', 'event-rule', 'notice-rules']) {
    expect(stdout).toContain(`${queue}-dead 0\n`);
  }
  await run(empty, system);
});

test('The commands of the runbook poison-message.md read and delete only the one message that always fails', async () => {
  const { run: system } = local();
  const sqs = new SQSClient(adminClientOptions(system));
  onTestFinished(() => sqs.destroy());
  const QueueUrl = system.resources.queues.deliveries?.deadLetterQueue?.url;
  const waiting = async () => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    return Object.values(Attributes).reduce((all, count) => all + Number(count), 0);
  };
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'poison' }));

  const [look, remove] = blocksOf('runbooks/poison-message.md');
  if (!look || !remove) throw new Error('The page has two blocks');
  const { stdout } = await run(look, system);
  const [line = ''] = stdout.split('\n').filter((one) => one.includes('"Messages"'));
  const [message] = (JSON.parse(line) as { Messages: { Body: string; ReceiptHandle: string }[] }).Messages;
  expect(message?.Body).toBe('poison');
  expect(await waiting()).toBe(1);
  const [setDead = ''] = look.text.split('\n');
  const deletion = remove.text.replace('placeholder', message?.ReceiptHandle ?? '');
  await run({ name: remove.name, text: `${setDead}\n${deletion}` }, system);
  expect(await waiting()).toBe(0);
});

const page = (name: string) => readFileSync(new URL(`runbooks/${name}.md`, folder), 'utf8');

test('The loops in runbook commands include every function, queue and dead-letter queue that delivers webhook messages', async () => {
  const assembly = await synthesisedAs(variants['all settings']);
  const named = (type: string, property: string) =>
    assembly
      .ofType(type)
      .filter(({ stack }) => stack === 'Delivery')
      .map((one) => String(one.properties[property] ?? ''));
  const functions = named('AWS::Lambda::Function', 'FunctionName').map((name) => name.replace('booking-prod-', ''));
  const listed = (name: string) => /for [fq] in (.*); do/.exec(page(name))?.[1]?.split(' ').sort();
  expect(listed('function-errors')).toEqual(functions.sort());
  const queued = named('AWS::SQS::Queue', 'QueueName').map((name) => name.replace('booking-prod-', ''));
  const dead = queued.filter((name) => name.endsWith('-dead')).map((name) => name.replace('-dead', ''));
  expect(listed('dead-letters')).toEqual(dead.sort());
  const working = queued.filter((name) => !name.endsWith('-dead')).sort();
  for (const name of ['queue-old', 'disabled']) expect(listed(name), name).toEqual(working);
});

test("The runbook restore.md gives each restored table the stage's tags, backups and deletion protection, in each of two regions", async () => {
  const { calls } = await run(whole.find(({ name }) => name === 'runbooks/restore.md') ?? { name: '', text: '' });
  const protecting = (region: string | undefined) =>
    calls
      .filter(({ service, given }) => service === 'dynamodb' && given.region?.[0] === region)
      .flatMap(({ operation, given }) => {
        if (operation === 'tag-resource') return [`tags ${given.tags?.toSorted().join(' ')}`];
        if (given['deletion-protection-enabled']) return [`protection of ${given['table-name']}`];
        return operation === 'update-continuous-backups' ? [`backups of ${given['table-name']}`] : [];
      })
      .sort();
  const expected = ['records', 'deliveries'].flatMap((store) => [
    `backups of booking-prod-${store}-restored-1`,
    `protection of booking-prod-${store}-restored-1`,
    'tags Key=service,Value=booking Key=stage,Value=prod',
  ]);
  for (const region of [undefined, 'eu-west-1']) expect(protecting(region), region).toEqual(expected.toSorted());
});

test('The commands of the runbook budget.md query the costs of at least one day, even on the first of a month', async () => {
  const calls: Call[] = [];
  const date: Program = (words) => (words.includes('tomorrow') ? '2026-12-02' : '2026-12-01');
  await runCommands(blocksOf('runbooks/budget.md')[0]?.text ?? '', { date, aws: fakeAws(calls) });
  const { Start, End } = shorthand(calls[0]?.given['time-period']?.[0]);
  expect([Start, End]).toEqual(['2026-12-01', '2026-12-02']);
});

test("The limits and concurrent executions that runbooks and the operator's guide name equal those of a deployed stage", async () => {
  const { throttle, heldRoute } = stageNamed('prod');
  const limits = [throttle, heldRoute].flatMap(({ rate, burst }) => [rate, burst]);
  expect(page('restore')).toContain(`limit_apis ${limits.join(' ')}\n`);
  const atOnce = [...Object.values(queues), noticesQueue].reduce((all, { maxConcurrency }) => all + maxConcurrency, 0);
  const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
  expect(inOneLine(page('functions-throttled'))).toContain(`the queues alone need up to ${atOnce}.`);
  const reserved = (await synthesised('prod'))
    .ofType('AWS::Lambda::Function')
    .map(({ properties }) => Number(properties.ReservedConcurrentExecutions ?? 0));
  const operating = inOneLine(readFileSync(new URL('operating.md', folder), 'utf8'));
  expect(operating).toContain(
    `\`prod\` reserves ${reserved.reduce((all, count) => all + count)} concurrent executions`,
  );
  expect(operating).toContain('Nine routes have lower limits');
  expect(reserved.filter(Boolean)).toHaveLength(6);
  expect(page('receivers-failing')).toContain(`ID % ${webhookShards}`);
});

test.each([
  ['a', { kind: 'send', attempt: 2, dueAt: 1, delaySeconds: 60 }],
  ['the last', { kind: 'stop' }],
] as const)(
  'The log query in the runbook receivers-failing.md finds the webhook and the error of %s failed attempt',
  (_, next) => {
    const [, pattern = ''] = /parse @message \/(.+?)\/ \|/.exec(page('receivers-failing')) ?? [];
    const id = 373_807_385_888_357;
    const delivery = { requestId: 'JKJaXmPLvHcESHA=', deliveryId: deliveryId(id, 2), event: 'booking.created' };
    const attempt = {
      ref: { webhookId: id, number: 2, attempt: 1, dueAt: 0 },
      delivery,
      outcome: { kind: 'failed', errorCode: 'connect_error', message: '', platformFault: false },
      startedAt: 0,
      endedAt: 1,
    } as unknown as Attempt;
    const line = JSON.stringify(attemptMetrics([{ attempt, next }])?.properties);
    const { webhook = '', error } = new RegExp(pattern).exec(line)?.groups ?? {};
    expect([Number.parseInt(webhook, 36), error]).toEqual([id, 'connect_error']);
  },
);

test.each([
  ['an unknown operation', 'aws sqs empty-queue --queue-url x', 'is no operation'],
  ['an unknown parameter', 'aws sqs get-queue-url --name x', 'takes no --name'],
  ['a missing parameter', 'aws lambda get-function-configuration --query x', 'needs --function-name'],
  ['a shell error', 'for q in a; do echo', 'syntax error'],
])('Negative control: the check of runbook commands reports a command with %s', async (_, text, message) => {
  await expect(run({ name: 'wrong', text })).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
});
