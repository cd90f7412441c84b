/** The allowed imports, checked in the import statements of every file. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The order of core's folders: each may import the folders of `core/` in its row, which must be above it in this table,
 * and the files directly in `core/`. Those files import only each other.
 */
const mayImport: Readonly<Record<string, string>> = {
  queue: '',
  store: '',
  mail: 'store',
  events: 'queue store',
  idempotency: 'store',
  limits: '',
  requests: 'store',
  catalog: 'mail store',
  audit: 'store',
  team: 'store',
  owners: 'catalog limits store',
  keys: 'catalog limits mail store',
  sessions: 'keys limits store',
  availability: 'catalog sessions store',
  bookings: 'availability catalog events keys sessions store',
  setup: 'availability bookings catalog events mail store',
  payments: 'bookings catalog events store',
  statistics: 'availability bookings catalog payments store',
  reviews: 'bookings catalog events store',
  'webhooks/sender': '',
  'webhooks/registry': 'keys queue store webhooks/sender',
  notices: 'catalog events keys mail queue store webhooks/registry',
  sandbox: 'availability bookings catalog payments reviews setup store webhooks/registry',
  'deliveries/model': 'events queue store webhooks/registry webhooks/sender',
  'deliveries/attempt': 'deliveries/model events keys queue store webhooks/registry webhooks/sender',
  'deliveries/statistics': 'deliveries/model store webhooks/registry',
  'deliveries/log': 'deliveries/model deliveries/statistics keys queue store webhooks/registry webhooks/sender',
  'deliveries/feed': 'deliveries/log deliveries/model keys store webhooks/registry webhooks/sender',
  'deliveries/plan': 'deliveries/model events keys queue store webhooks/registry',
  // It imports every folder that stores personal data.
  erasure: 'bookings deliveries/log deliveries/model events queue store webhooks/registry',
  reconcile: 'availability bookings catalog events keys payments reviews store webhooks/registry',
  // It authenticates principals and replays responses, and is independent of the folders that contain business rules.
  http: 'idempotency keys limits owners requests sessions store',
  // It offers the endpoints as tools.
  agents: 'http',
};
const folders = Object.keys(mayImport).map((name) => `core/${name}`);
const importedBy = (folder: string) =>
  (mayImport[folder.slice('core/'.length)]?.match(/\S+/g) ?? []).map((name) => `core/${name}`);

interface Wall {
  /** The folders that may be imported beside the own one. */
  readonly folders: readonly string[];
  /** The packages that may be imported; `node:` begins the modules of Node.js. */
  readonly packages: RegExp;
}

const none = /$^/;
const any = /./;
const noCdk = /^(?!aws-cdk-lib|constructs)/;

/** What the top folders may import. The first row that contains a file decides; other folders may import everything. */
const walls: Readonly<Record<string, Wall>> = {
  'contract/': { folders: [], packages: /^zod/ },
  'core/': { folders: ['contract/'], packages: noCdk },
  'functions/': { folders: ['contract/', 'core/'], packages: none },
  // It finds the handlers by their file names.
  'lib/': { folders: ['cdk.json', 'console/build.ts', 'contract/', 'site/'], packages: /^(?!@aws-sdk)/ },
  'client/src/command/': { folders: ['client/src/'], packages: /^node:/ },
  // Integrators install it, for any platform.
  'client/src/': { folders: [], packages: none },
  // Both call the operations of a generated table, and show prices, whose digits are those of ISO 4217.
  'console/src/': {
    folders: ['client/src/call.ts', 'client/src/element/minor-units.ts'],
    packages: /^(?!aws-|@aws|node:)/,
  },
  'site/': { folders: [], packages: /^(?!aws-cdk-lib|@aws-sdk)/ },
  'examples/': { folders: ['client/src/index.ts'], packages: any },
  'packages/': { folders: [], packages: noCdk },
};

const root = new URL('../../', import.meta.url);
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', '*.ts', '*.tsx'], {
  cwd: root,
});
const sources = new Map(
  tracked
    .toString()
    .trim()
    .split('\n')
    .flatMap((file) => {
      try {
        return [[file, readFileSync(new URL(file, root), 'utf8')] as const];
      } catch {
        return [];
      }
    }),
);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

const importsOf = new Map([...sources].map(([file, text]) => [file, readImports(file, text)]));

function readImports(from: string, text: string): Import[] {
  return [...text.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'(\.[^']+)'/gm)].flatMap((match) => {
    const to = posix.join(dirname(from), match[1] ?? '');
    const line = text.slice(0, match.index + match[0].length).split('\n').length;
    return sources.has(to) ? [{ from, to, line }] : [];
  });
}

/** The row for a file of core/; `core` for the files directly in it. */
function folderOf(file: string): string {
  const folder = dirname(file);
  return folders.find((one) => folder === one || folder.startsWith(`${one}/`)) ?? folder;
}

test('A folder of core/ imports only itself and the folders that the table of allowed imports lists for this folder', () => {
  const breaches = [...importsOf.values()].flat().flatMap(({ from, to, line }) => {
    if (!from.startsWith('core/') || !to.startsWith('core/')) return [];
    const [folder, imported] = [folderOf(from), folderOf(to)];
    const allowed = imported === folder || imported === 'core' || importedBy(folder).includes(imported);
    return allowed ? [] : [`${from}:${line} ${folder} may not import ${imported}`];
  });
  expect(breaches).toEqual([]);
});

/** The imports of a file that its row of `walls` does not allow. */
function breachesIn(file: string, text: string): string[] {
  const [own, wall] = Object.entries(walls).find(([folder]) => file.startsWith(folder)) ?? [];
  if (own === undefined || wall === undefined) return [];
  const imports = text.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'|\bimport\(\s*'([^']+)'/gm);
  return [...imports].flatMap(([, named, loaded]) => {
    const to = named ?? loaded ?? '';
    const path = posix.join(dirname(file), to);
    const isAllowed = to.startsWith('.')
      ? [own, ...wall.folders].some((folder) => path.startsWith(folder))
      : wall.packages.test(to);
    return isAllowed ? [] : [`${file} may not import ${to}`];
  });
}

test('The code of a top-level folder such as core/ or console/ imports only folders and packages that are allowed for this folder', () => {
  for (const folder of Object.keys(walls)) {
    expect([...sources.keys()].filter((file) => file.startsWith(folder)).length, folder).toBeGreaterThan(1);
  }
  expect([...sources].flatMap(([file, text]) => breachesIn(file, text))).toEqual([]);
});

test.each([
  ['core/ into contract/', 'contract/events.ts', "import { dynamo } from '../core/clients.ts';"],
  ['the CDK into core/', 'core/http/endpoint.ts', "import { Stack } from 'aws-cdk-lib';"],
  [
    'the AWS SDK into functions/',
    'functions/api/get-me.ts',
    "import {\n  DynamoDBClient,\n} from '@aws-sdk/client-dynamodb';",
  ],
  ['functions/ into lib/', 'lib/app.ts', "export { handler } from '../functions/api/get-me.ts';"],
  ['a Node.js module into the client library', 'client/src/feed.ts', "import 'node:fs';"],
  ['zod into the booking element', 'client/src/element/api.ts', "const { z } = await import('zod');"],
  [
    'contract/ into the console',
    'console/src/app/app.tsx',
    "import type { Booking } from '../../../contract/integration/resources.ts';",
  ],
  ['contract/ into site/', 'site/build.ts', "import { limits } from '../contract/limits.ts';"],
  ['core/ into an example', 'examples/receiver/server.ts', "import { now } from '../../core/clock.ts';"],
  ['core/ into a package', 'packages/local-cloud/src/iam.ts', "import { log } from '../../../core/log.ts';"],
])('Negative control: the check of imports reports a forbidden import of %s', (_, file, line) => {
  expect(breachesIn(file, line)).toHaveLength(1);
});

test('Every folder of core/ has a row in the table of allowed imports, and may import only folders of earlier rows', () => {
  const found = [...sources.keys()].filter((file) => file.startsWith('core/')).map(folderOf);
  expect([...new Set(found)].toSorted()).toEqual(['core', ...folders].toSorted());
  for (const [i, folder] of folders.entries()) {
    expect(folders.slice(0, i)).toEqual(expect.arrayContaining(importedBy(folder)));
  }
});

test('Only tests in test/console/ import source files of the console', () => {
  const isConsole = (file: string) => file.startsWith('console/src/');
  const crossings = [...importsOf.values()].flat().filter(({ from, to }) => isConsole(to) && !isConsole(from));
  expect(crossings.length).toBeGreaterThan(10);
  expect(crossings.filter(({ from }) => !from.startsWith('test/console/'))).toEqual([]);
});

test('A package in packages/ declares every npm package that it imports', () => {
  const named = /^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'((?!node:)[@a-z][^'/]*(?:\/[^'/]+)?)[^']*'/gm;
  for (const folder of readdirSync(new URL('packages', root))) {
    const manifest = JSON.parse(readFileSync(new URL(`packages/${folder}/package.json`, root), 'utf8'));
    const declared = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    const imported = [...sources].flatMap(([file, text]) =>
      file.startsWith(`packages/${folder}/`) ? [...text.matchAll(named)].map(([, name = '']) => packageOf(name)) : [],
    );
    expect(imported.length, folder).toBeGreaterThan(2);
    expect(
      imported.filter((name) => !(name in declared)),
      folder,
    ).toEqual([]);
  }
});

/** The name of a package: `@aws-sdk/client-sqs`, or `zod` for `zod/mini`. */
function packageOf(specifier: string): string {
  return specifier.startsWith('@') ? specifier : specifier.replace(/\/.*/, '');
}

test('Every import that the table of allowed imports for core/ lists exists in the code', () => {
  const used = new Set([...importsOf.values()].flat().map(({ from, to }) => `${folderOf(from)} > ${folderOf(to)}`));
  const granted = folders.flatMap((folder) => importedBy(folder).map((other) => `${folder} > ${other}`));
  expect(granted.filter((one) => !used.has(one))).toEqual([]);
});

test('The code outside the tests has no circular imports', () => {
  expect(circles(new Map([...importsOf].filter(([file]) => !file.startsWith('test/'))))).toEqual([]);
});

test('Negative control: if three files import each other in a circle, the check of imports reports the circle', () => {
  const files = new Map(
    [
      ['a.ts', 'b.ts'],
      ['b.ts', 'c.ts'],
      ['c.ts', 'a.ts'],
    ].map(([from = '', to = '']) => [from, [{ from, to, line: 1 }]]),
  );
  expect(circles(files)).toEqual(['a.ts:1 > b.ts:1 > c.ts:1 > a.ts']);
});

/** Each import cycle, as its imports. */
function circles(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const way: Import[] = [];
  const follow = (file: string) => {
    for (const step of imports.get(file) ?? []) {
      if (finished.has(step.to)) continue;
      way.push(step);
      const start = way.findIndex(({ from }) => from === step.to);
      if (start >= 0) found.push([...way.slice(start).map(({ from, line }) => `${from}:${line}`), step.to].join(' > '));
      else follow(step.to);
      way.pop();
    }
    finished.add(file);
  };
  for (const file of imports.keys()) follow(file);
  return found;
}
