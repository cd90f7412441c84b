/** The scripts that load before the first screen. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildConsole } from '../../console/build.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const comesLater = ['@mantine/charts', 'recharts', '@mantine/dates', '@mantine/schedule'];
/** The modules that must load, with bounds on compressed bytes and on the number of requests. */
const bounds = [
  { of: 'the sign-in page', modules: ['src/main.tsx'], bytes: 130_000, files: 4 },
  { of: 'the sign-in page in Latvian', modules: ['src/main.tsx', 'strings/lv/index.ts'], bytes: 155_000, files: 6 },
  {
    of: 'the first screen',
    modules: ['src/main.tsx', 'app/app.tsx', 'overview/overview-screen.tsx'],
    bytes: 200_000,
    files: 8,
  },
];

test('The sign-in page and the first screen of the console load a limited amount of JavaScript, without charts or calendar', async () => {
  const before = process.env.NODE_ENV;
  const chunks = (await buildConsole(temporaryFolder('console'))).filter((file) => file.type === 'chunk');
  for (const { of, modules, bytes, files } of bounds) {
    const needed = new Map<string, (typeof chunks)[number]>();
    const need = (chunk: (typeof chunks)[number]) => {
      if (needed.has(chunk.fileName)) return;
      needed.set(chunk.fileName, chunk);
      for (const other of chunks) if (chunk.imports.includes(other.fileName)) need(other);
    };
    for (const module of modules) {
      const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
      expect(chunk, module).toBeDefined();
      if (chunk) need(chunk);
    }
    const all = [...needed.values()];
    const gzipped = all.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
    expect(gzipped, of).toBeLessThanOrEqual(bytes);
    expect(all.length, of).toBeLessThanOrEqual(files);
    const ids = all.flatMap(({ moduleIds }) => moduleIds);
    expect(ids.some((id) => id.includes('react-dom'))).toBe(true);
    expect(ids.filter((id) => comesLater.some((name) => id.includes(`node_modules/${name}/`)))).toEqual([]);
  }
  expect(process.env.NODE_ENV).toBe(before);
});
