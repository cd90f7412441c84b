/** The commands of runbooks that stop all writers start them again as the templates define. */
import { expect, test } from 'vitest';
import { commandsOf, flag, type Program, pageText, runCommands } from '../../../local/page-commands.ts';
import { inside, synthesisedAs } from '../../support/synthesised.ts';
import { variants } from '../../support/variants.ts';

interface Limits {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

const assembly = await synthesisedAs(variants['existing tables']);
const commands = commandsOf(pageText('runbooks/restore.md'), 'Switch');

/** By writer: requests per second of routes, `*` for all others, and the concurrency of functions. */
function allWriters(): Map<string, string> {
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

/** Runs the commands with a fake AWS. Returns its settings at the time of the first deployment and at the end. */
async function walk(script: string) {
  const writers = allWriters();
  const settings = new Map(
    assembly.ofType('AWS::ApiGatewayV2::Stage').map((stage) => [stage.stack, inside(stage, 'RouteSettings')]),
  );
  let atDeployment: ReadonlyMap<string, string> | undefined;
  const operations: Readonly<Record<string, Program>> = {
    'get-apis': () => [...settings.keys()].join('\t'),
    'get-stage': (words) => JSON.stringify(settings.get(flag(words, 'api-id') ?? ''), null, 4),
    'update-stage': (words) => {
      const api = flag(words, 'api-id');
      const [rate, burst] = flag(words, 'default-route-settings')?.match(/\d+/g) ?? [];
      writers.set(`${api} *`, `${rate} ${burst}`);
      const routes = JSON.parse(flag(words, 'route-settings') ?? '{}') as Record<string, Limits>;
      for (const [route, limits] of Object.entries(routes)) writers.set(`${api} ${route}`, text(limits));
      return undefined;
    },
    'put-function-concurrency': (words) => {
      writers.set(flag(words, 'function-name') ?? '', flag(words, 'reserved-concurrent-executions') ?? '');
      return undefined;
    },
    'delete-function-concurrency': (words) => {
      writers.set(flag(words, 'function-name') ?? '', 'all');
      return undefined;
    },
  };
  const programs: Readonly<Record<string, Program>> = {
    aws: ([, operation = '', ...words]) => operations[operation]?.(words),
    npx: ([, verb]) => {
      if (verb === 'deploy') atDeployment ??= new Map(writers);
      return undefined;
    },
    npm: () => undefined,
  };
  const tables = { KEYS: 'keys', RECORDS: 'records', DELIVERIES: 'deliveries', SECRETS: 'secrets' };
  await runCommands(script, programs, {
    NEW: 'restored-1',
    WHEN: '2026-11-21T10:00:00Z',
    LABEL: 'label',
    FIRST: 'eu-central-1',
    ...tables,
  });
  return { atDeployment: atDeployment ?? new Map<string, string>(), atEnd: writers };
}

const writing = (writers: ReadonlyMap<string, string>) =>
  [...writers].flatMap(([name, limit]) => (/^0( 0)?$/.test(limit) ? [] : [name]));

test('While the runbook restore.md replaces tables, no API route and no function that delivers messages writes data', async () => {
  const { atDeployment, atEnd } = await walk(commands);
  expect(atDeployment.size).toBe(allWriters().size);
  expect(writing(atDeployment)).toEqual([]);
  expect(Object.fromEntries(atEnd)).toEqual(Object.fromEntries(allWriters()));
});

test("Negative control: if restore.md sets only the API's default limit to zero, routes with their own limit still write data", async () => {
  const careless = commands.replace('--route-settings "$ROUTES"', '');
  expect(careless).not.toBe(commands);
  const { atDeployment } = await walk(careless);
  expect(writing(atDeployment)).toHaveLength(9);
});

/** The first commands of the section "Switch", which regions.md uses to stop a region. */
const stopping = commands.slice(0, commands.indexOf('UNTIL='));
const makingPassive = commandsOf(pageText('runbooks/regions.md'), 'When the first region is back');

test('After the runbook regions.md has stopped a region and made it passive, its functions and APIs can run again', async () => {
  const { atDeployment, atEnd } = await walk(stopping + makingPassive);
  expect(writing(atDeployment)).toEqual([]);
  expect(Object.fromEntries(atEnd)).toEqual(Object.fromEntries(allWriters()));
});

test('Negative control: without the last commands of regions.md, the functions that deliver webhook messages stay stopped', async () => {
  const withoutStart = makingPassive.replace(/for f in .*/s, '');
  const { atEnd } = await walk(stopping + withoutStart);
  expect(writing(atEnd)).toEqual([]);
});
