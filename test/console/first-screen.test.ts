/** How much an owner waits for before the first screen. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildConsole } from '../../console/build.ts';

const boundBytes = 200_000;
const waitingFor = ['index.html', 'screens/overview/overview-screen.tsx'];
const comesLater = ['@mantine/charts', 'recharts', '@mantine/dates', '@mantine/schedule'];

test('the first screen waits for at most 200 KB of compressed scripts, and for no plot or calendar', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'console-'));
  const before = process.env.NODE_ENV;
  try {
    const chunks = (await buildConsole(folder)).filter((file) => file.type === 'chunk');
    const needed = new Map<string, (typeof chunks)[number]>();
    const need = (chunk: (typeof chunks)[number]) => {
      if (needed.has(chunk.fileName)) return;
      needed.set(chunk.fileName, chunk);
      for (const other of chunks) if (chunk.imports.includes(other.fileName)) need(other);
    };
    for (const module of waitingFor) {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
      expect(chunk, module).toBeDefined();
      if (chunk) need(chunk);
    }
    const sizes = [...needed.values()].map(({ code }) => gzipSync(code).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(boundBytes);
    const modules = [...needed.values()].flatMap(({ moduleIds }) => moduleIds);
    expect(modules.some((id) => id.includes('react-dom'))).toBe(true);
    expect(modules.filter((id) => comesLater.some((name) => id.includes(`node_modules/${name}/`)))).toEqual([]);
    expect(process.env.NODE_ENV).toBe(before);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
