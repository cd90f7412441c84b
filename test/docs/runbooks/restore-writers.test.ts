/** The commands of docs/runbooks/restore.md stop everything that writes, and let it go on as the templates say. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { type Assembly, inside, synthesised, temporaryFolder } from '../../support/synthesised.ts';

// Each command is a process, and many start at once with those of other tests.
vi.setConfig({ testTimeout: 240_000 });

interface Limits {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

const page = readFileSync(new URL('../../../docs/runbooks/restore.md', import.meta.url), 'utf8');
const [, switching = ''] = page.split('## Switch');
const commands = [...switching.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');

/** Requests a second by route, `*` for all others, and functions that may run at once, by what writes. */
function writersOf(assembly: Assembly): Map<string, string> {
  const stages = assembly.ofType('AWS::ApiGatewayV2::Stage').flatMap(({ stack, properties }) => {
    const held = Object.entries((properties.RouteSettings ?? {}) as unknown as Record<string, Limits>);
    return [['*', properties.DefaultRouteSettings as unknown as Limits] as const, ...held].map(
      ([route, limits]) => [`${stack} ${route}`, text(limits)] as const,
    );
  });
  const pipeline = assembly.functions.filter(({ stack }) => stack === 'Delivery');
  return new Map([...stages, ...pipeline.map(({ properties }) => [String(properties.FunctionName), 'all'] as const)]);
}

const text = ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }: Limits) => `${rate} ${burst}`;

/** Runs the commands with an AWS that keeps what they set. Returns that, at the moment of the first deployment and at the end. */
async function walk(assembly: Assembly, script: string) {
  const folder = temporaryFolder('restore');
  mkdirSync(join(folder, 'bin'));
  const state = join(folder, 'state.json');
  const settings = assembly
    .ofType('AWS::ApiGatewayV2::Stage')
    .map((stage) => [stage.stack, inside(stage, 'RouteSettings')] as const);
  writeFileSync(state, JSON.stringify([...writersOf(assembly)]));
  const programs = {
    npx: `const fs = require('node:fs'); if (process.argv[3] === 'deploy') fs.appendFileSync('${folder}/deployed', fs.readFileSync('${state}') + '\\n');`,
    aws: `
const fs = require('node:fs');
const [, operation, ...rest] = process.argv.slice(2);
const flag = (name) => rest[rest.indexOf('--' + name) + 1];
const writers = new Map(JSON.parse(fs.readFileSync('${state}', 'utf8')));
const api = flag('api-id');
if (operation === 'get-apis') console.log('IntegrationApi\\tAccountApi');
if (operation === 'get-stage') console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(settings)})[api], null, 4));
if (operation === 'update-stage') {
  const [rate, burst] = flag('default-route-settings').match(/\\d+/g);
  writers.set(api + ' *', rate + ' ' + burst);
  const routes = rest.includes('--route-settings') ? JSON.parse(flag('route-settings')) : {};
  for (const [route, one] of Object.entries(routes)) writers.set(api + ' ' + route, one.ThrottlingRateLimit + ' ' + one.ThrottlingBurstLimit);
}
if (operation === 'put-function-concurrency') writers.set(flag('function-name'), flag('reserved-concurrent-executions'));
if (operation === 'delete-function-concurrency') writers.set(flag('function-name'), 'all');
fs.writeFileSync('${state}', JSON.stringify([...writers]));
`,
  };
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!${process.execPath}\n${program}`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, NEW: 'restored-1', LABEL: 'label' };
  await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { env });
  const [atDeployment = '[]'] = readFileSync(join(folder, 'deployed'), 'utf8').split('\n');
  const read = (json: string) => new Map(JSON.parse(json) as [string, string][]);
  return { atDeployment: read(atDeployment), atEnd: read(readFileSync(state, 'utf8')) };
}

const writing = (writers: ReadonlyMap<string, string>) =>
  [...writers].flatMap(([name, limit]) => (/^0( 0)?$/.test(limit) ? [] : [name]));

test('While a restore switches the tables, no API route and no function of the delivery pipeline writes data', async () => {
  const assembly = await synthesised('prod');
  const { atDeployment, atEnd } = await walk(assembly, commands);
  expect(atDeployment.size).toBe(writersOf(assembly).size);
  expect(writing(atDeployment)).toEqual([]);
  expect(Object.fromEntries(atEnd)).toEqual(Object.fromEntries(writersOf(assembly)));
});

test('Negative control: if only the limit for all routes is set to zero, routes with their own limit still write data', async () => {
  const careless = commands.replace('--route-settings "$ROUTES"', '');
  expect(careless).not.toBe(commands);
  const { atDeployment } = await walk(await synthesised('prod'), careless);
  expect(writing(atDeployment)).toHaveLength(9);
});
