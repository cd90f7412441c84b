/** GitHub accepts the pipeline examples: its own parser reads them, and everything that they call exists. */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { expect, test } from 'vitest';
import { stageNames } from '../../../lib/stage.ts';

// The parser imports JSON as bundlers do, but Node needs an import attribute.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
hooks.deregister();

const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(`docs/examples/${name}`, root), 'utf8');
const example = read('deploy.yml');

/** The errors of GitHub before it runs a workflow: `Line: 14, Col: 5): Unexpected value 'run-on'`. */
async function complaints(content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: 'deploy.yml', content }, new NoOperationTraceWriter());
  // The first pass checks the keywords, this one the references.
  if (value) await convertWorkflowTemplate(context, value);
  const known = matrixKeys(content);
  const unknown = [...content.matchAll(/\bmatrix\.([\w-]+)/g)].filter(([, key = '']) => !known.has(key));
  return [...context.errors.getErrors().map(({ message }) => message), ...unknown.map(([name]) => `No ${name}`)];
}

/** The keys of a matrix, which the parser does not check. */
function matrixKeys(content: string): ReadonlySet<string> {
  const [, keys = ''] = /^ *matrix:\n((?: {8}.*\n)+)/m.exec(content) ?? [];
  return new Set([...keys.matchAll(/^ {8}([\w-]+):/gm)].map(([, key = '']) => key));
}

test.each(['deploy.yml', 'nightly.yml'])('The pipeline example %s is a valid GitHub workflow', async (name) => {
  expect(await complaints(read(name))).toEqual([]);
});

test.each([
  ['runs-on: ubuntu-latest', 'run-on: ubuntu-latest'],
  ['matrix.stage }}', 'matrix.target }}'],
  ['vars.AWS_REGION', 'var.AWS_REGION'],
  ['      - run: npm ci', '     - run: npm ci'],
])("GitHub's parser refuses a deployment pipeline in which “%s” is written as “%s”", async (right, wrong) => {
  expect(example).toContain(right);
  expect(await complaints(example.replace(right, wrong))).not.toEqual([]);
});

const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: object };

test('The example of a nightly pipeline uses only commands that exist', () => {
  const called = [...read('nightly.yml').matchAll(/- npm (?:run )?([\w-]+ -- [\w-]+)/gm)].map(([, name = '']) => name);
  const proofs = ['clocks', 'crash', 'simulate', 'templates', 'mutate'];
  expect(called).toEqual(['test -- --emulator', 'test -- --emulator', ...proofs.map((name) => `prove -- ${name}`)]);
  for (const name of proofs) expect(existsSync(new URL(`bin/prove/${name}.ts`, root))).toBe(true);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['test', 'prove']));
});

test('The example of a deployment pipeline uses only scripts, stages and variables that exist', () => {
  const called = [...example.matchAll(/npm run ([\w:-]+(?: -- [\w-]+)?)/g)].map(([, name = '']) => name);
  expect(called).toEqual(['verify', 'operate -- where', 'operate -- smoke']);
  for (const name of ['where', 'smoke']) expect(existsSync(new URL(`bin/operate/${name}.ts`, root))).toBe(true);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['verify', 'operate']));

  const [, stages = ''] = /stage: \[(.*)\]/.exec(example) ?? [];
  expect(stages.split(', ')).toEqual(stageNames);

  const variables = [...example.matchAll(/^ {10}([A-Z_]+): \$\{\{ secrets/gm)].map(([, name = '']) => name);
  expect(variables).toEqual(['BOOKING_API_KEY']);
  expect(readFileSync(new URL('bin/operate/smoke.ts', root), 'utf8')).toContain(`process.env.${variables[0]}`);
});

test('In the example pipeline, `npm run verify` sees the tag of the last release, with which it compares openapi.json', () => {
  const [, checking = ''] = /^ {2}check:\n([\s\S]*?)^ {2}deploy:\n/m.exec(example) ?? [];
  expect(checking).toMatch(/uses: actions\/checkout@v4\n {8}with: \{ fetch-depth: 0 \}\n/);
});

test('In the example pipeline, only the job that deploys can assume an IAM role, and no AWS access key is stored', () => {
  const [before = '', deploying = ''] = example.split(/^ {2}deploy:\n/m);
  for (const text of ['role-to-assume:', 'id-token: write']) {
    expect(deploying).toContain(text);
    expect(before).not.toContain(text);
  }
  expect(example).not.toMatch(/aws[-_](?:access|secret)/i);
});
