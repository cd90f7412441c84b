import { type FSWatcher, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startLiveCode } from '../../local/live-code.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const watchers = vi.hoisted((): FSWatcher[] => []);

/** A folder named `gone` is deleted after it was seen, and before it is watched. */
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const watch = (...args: Parameters<typeof fs.watch>) => {
    if (String(args[0]).endsWith('gone')) fs.rmdirSync(args[0]);
    const watcher = fs.watch(...args);
    watchers.push(watcher);
    return watcher;
  };
  return { ...fs, watch };
});

test('A local run continues to rebuild changed code when a folder of its source code is deleted', async () => {
  const projectFolder = temporaryFolder('live');
  mkdirSync(join(projectFolder, 'core/old'), { recursive: true });
  writeFileSync(join(projectFolder, 'core/a.ts'), 'export const a = 1;');
  const entries = [{ name: 'a', file: 'core/a.ts' }];
  const code = await startLiveCode({ projectFolder, entries, outputFolder: join(projectFolder, 'out') });
  try {
    const rebuilt = vi.fn();
    code.watch(['core'], rebuilt);
    mkdirSync(join(projectFolder, 'core/gone'));
    await expect.poll(() => rebuilt).toHaveBeenCalledWith(expect.anything(), 'core/gone');
    // Windows reports the deletion of a watched folder as an error.
    watchers.at(-1)?.emit('error', new Error('EPERM: operation not permitted, watch'));
    writeFileSync(join(projectFolder, 'core/a.ts'), 'export const a = 2;');
    const changed = expect.objectContaining({ changed: new Set(['a']) });
    await expect.poll(() => rebuilt).toHaveBeenCalledWith(changed, 'core/a.ts');
  } finally {
    await code.stop();
  }
});
