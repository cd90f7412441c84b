/** Runs the shell blocks of a page of docs/ unchanged, with programs that this process answers, not an account. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** Gets its arguments, and returns its output. If it throws, the command fails with that message. */
export type Program = (words: readonly string[]) => string | undefined;

export function pageText(name: string): string {
  return readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
}

/** Returns the commands of a page, or of some sections, as one script, because a reader uses one shell for a page. */
export function commandsOf(page: string, ...headings: readonly string[]): string {
  const sections = page.split(/^(?=## )/m).filter((section) => {
    return headings.length === 0 || headings.some((heading) => section.startsWith(`## ${heading}\n`));
  });
  return [...sections.join('').matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');
}

/** The array that docs/runbooks/README.md defines for all pages. */
export const stageSettings = 'SETTINGS=(-c stage=prod)';

export async function runCommands(
  script: string,
  programs: Readonly<Record<string, Program>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'page-commands-'));
  const server = createServer(async (request, response) => {
    const [name = '', ...words] = (await json(request)) as string[];
    try {
      response.end(programs[name]?.(words) ?? '');
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const file = join(folder, 'stand-in.cjs');
    await writeFile(file, standIn);
    for (const name of Object.keys(programs)) {
      // A script's first line cannot name a program whose path contains a space.
      const start = `#!/bin/sh\nexec "${process.execPath}" "${file}" ${address} ${name} "$@"\n`;
      await writeFile(join(folder, name), start, { mode: 0o755 });
    }
    const env = { PATH: `${folder}:${process.env.PATH}`, ...environment };
    await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', `${stageSettings}\n${script}`], { env });
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const standIn = `
const [address, ...words] = process.argv.slice(2);
fetch(address, { method: 'POST', body: JSON.stringify(words) }).then(async (response) => {
  process[response.ok ? 'stdout' : 'stderr'].write((await response.text()) + '\\n');
  process.exitCode = response.ok ? 0 : 1;
});`;

/** Returns the value of the flag `--name`. */
export function flag(words: readonly string[], name: string): string | undefined {
  const at = words.indexOf(`--${name}`);
  return at === -1 ? undefined : words[at + 1];
}

/** Returns `{ Enabled: 'true', AttributeName: 'at' }` for `Enabled=true,AttributeName=at`. */
export function shorthand(words = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(words.split(',').map((pair) => pair.split('=') as [string, string]));
}

/** Returns the settings of a `cdk` command: the values of its `-c` flags. */
export function settingsIn(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.flatMap((word, i) => {
      const [name = '', ...value] = (words[i - 1] === '-c' ? word : '').split('=');
      return name ? [[name, value.join('=')]] : [];
    }),
  );
}
