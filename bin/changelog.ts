/**
 * `npm run changelog` writes what is new or breaking in the documents since the last release under "Unreleased" of
 * CHANGELOG.md; `-- --check` fails when it is not there; `-- --release 1.1.0` gives it its version and records the
 * documents as released.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Document, differences, surfaceOf } from './surface.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' }, release: { type: 'string' } } });

const root = new URL('../', import.meta.url);
const documents = { 'Integration API': 'openapi.json', 'Account API': 'openapi-account.json' };
const changelog = new URL('CHANGELOG.md', root);
const place = /(?<=## Unreleased\n\n)[\s\S]*?(?=\n## |$)/;

const recordOf = (file: string) => new URL(`contract/released/${file.replace('.json', '.txt')}`, root);

const surface = (file: string) => surfaceOf(JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Document);

/** One fact a line: its name, a tab, its type. */
function released(file: string): ReadonlyMap<string, string> {
  if (!existsSync(recordOf(file))) return new Map();
  const lines = readFileSync(recordOf(file), 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split('\t') as [string, string]));
}

const sections = Object.entries(documents).flatMap(([title, file]) => {
  const found = differences(released(file), surface(file));
  const list = (['Breaking', 'New', 'Changed'] as const).flatMap((verdict) =>
    found.filter((one) => one.verdict === verdict).map(({ sentence }) => `- ${verdict}: ${sentence}\n`),
  );
  return list.length > 0 ? [`### ${title}\n\n${list.join('')}`] : [];
});

const text = readFileSync(changelog, 'utf8');
const fresh = text.replace(place, () => (sections.length > 0 ? sections.join('\n') : 'Nothing yet.\n'));

if (values.release) {
  const date = new Date().toISOString().slice(0, 10);
  const heading = `## Unreleased\n\nNothing yet.\n\n## ${values.release} (${date})\n`;
  writeFileSync(
    changelog,
    fresh.replace('## Unreleased\n', () => heading),
  );
  mkdirSync(new URL('contract/released/', root), { recursive: true });
  for (const file of Object.values(documents)) {
    const lines = [...surface(file)].map(([fact, type]) => `${fact}\t${type}\n`);
    writeFileSync(recordOf(file), lines.join(''));
  }
} else if (!values.check) {
  writeFileSync(changelog, fresh);
} else if (fresh !== text) {
  console.error('CHANGELOG.md does not say what changed in the documents: run npm run docs and commit it.');
  process.exitCode = 1;
}
