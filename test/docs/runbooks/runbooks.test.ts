/**
 * The commands of the runbooks run: as shell, with operations and parameters that AWS has, on names that the templates have.
 * What a local endpoint can answer is asked there.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withLocal } from '../../support/local.ts';
import { synthesised, temporaryFolder } from '../../support/synthesised.ts';

const local = withLocal();

/** Why a service of AWS does not answer here: one machine has nobody who watches, bills, logs or restores. */
const onlyInAccount: Readonly<Record<string, string>> = {
  ce: 'what was spent is known to AWS alone',
  cloudformation: 'the local run stands templates up by itself, without stacks that are changed',
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
    // What the reader fills in.
    text: block.replace(/<[^>\n]+>/g, 'placeholder').replaceAll('…', 'placeholder'),
  }));
}

/** A reader goes through a page in one shell. */
const whole = pages.map((page) => ({
  name: page,
  text: blocksOf(page)
    .map(({ text }) => text)
    .join('\n'),
}));

interface Call {
  readonly service: string;
  readonly operation: string;
  readonly given: Readonly<Record<string, readonly string[]>>;
}

/** Runs a block with stand-ins for all that would leave the machine. Throws with what the block said. */
async function run({ text }: Block, environment: Readonly<Record<string, string>> = {}) {
  const bin = join(temporaryFolder('runbook'), 'bin');
  mkdirSync(bin);
  for (const name of ['npx', 'npm', 'curl', 'git', 'sleep']) {
    writeFileSync(join(bin, name), '#!/bin/sh\nexit 0\n');
    chmodSync(join(bin, name), 0o755);
  }
  const aws = new URL('aws.mjs', import.meta.url).pathname;
  writeFileSync(join(bin, 'aws'), `#!/bin/sh\nexec "${process.execPath}" "${aws}" "$@"\n`);
  chmodSync(join(bin, 'aws'), 0o755);
  symlinkSync(process.execPath, join(bin, 'node'));
  const calls = join(bin, 'calls');
  writeFileSync(calls, '');
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
    env: { PATH: `${bin}:${process.env.PATH}`, AWS_CALLS: calls, ...environment },
  });
  const lines = readFileSync(calls, 'utf8').split('\n').filter(Boolean);
  return { stdout, calls: lines.map((line) => JSON.parse(line) as Call) };
}

test('every page has commands that run, with operations and parameters that AWS has, on names that are deployed', async () => {
  const assembly = await synthesised('prod');
  const all = JSON.stringify(assembly.resources);
  const stacks = readdirSync(assembly.folder).join('\n').toLowerCase();
  const isDeployed = (name: string) =>
    all.includes(`"${name}"`) || stacks.includes(name.replace(/^booking-prod-/, '').replaceAll('-', ''));
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
      }
    } catch (error) {
      problems.push(`${block.name}: ${(error as { stderr?: string }).stderr ?? error}`);
    }
  }
  expect(problems).toEqual([]);
}, 240_000);

test('what it means that a dead-letter queue is not empty is told by the queues themselves', async () => {
  const { run: system } = local();
  const environment = { AWS_ENDPOINT_URL: system.awsEndpoint, AWS_ACCESS_KEY_ID: system.adminAccessKeyId };
  const [look, , empty] = blocksOf('runbooks/dead-letters.md');
  if (!look || !empty) throw new Error('The page has three blocks');
  const { stdout } = await run(look, environment);
  for (const queue of ['events', 'deliveries', 'retries', 'erasures', 'event-rule']) {
    expect(stdout).toContain(`${queue}-dead 0\n`);
  }
  await run(empty, environment);
}, 120_000);

test.each([
  ['an operation', 'aws sqs empty-queue --queue-url x', 'is no operation'],
  ['a parameter', 'aws sqs get-queue-url --name x', 'takes no --name'],
  ['a lack', 'aws lambda get-function-configuration --query x', 'needs --function-name'],
  ['an error in the shell', 'for q in a; do echo', 'syntax error'],
])('twin: %s that is wrong fails', async (_, text, said) => {
  await expect(run({ name: 'twin', text })).rejects.toMatchObject({ stderr: expect.stringContaining(said) });
});
