/** Runs the shell blocks of a page of docs/ unchanged, with programs that this process answers, not an account. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Gets its arguments, and returns its output. If it throws, the command fails with that message. */
export type Program = (words: readonly string[]) => string | undefined | Promise<string>;

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
const stageSettings = 'SETTINGS=(-c stage=prod)';

/** Returns the output of the script. Rejects with an error that has its `stderr` if a command fails. */
export async function runCommands(
  script: string,
  programs: Readonly<Record<string, Program>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'page-commands-'));
  const server = createServer((socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', async (chunk) => {
      received += chunk;
      const [count, ...fields] = received.split('\0').slice(0, -1);
      if (count === undefined || fields.length < Number(count)) return;
      const [name = '', ...words] = fields;
      try {
        socket.end(`0\0${(await programs[name]?.(words)) ?? ''}`);
      } catch (error) {
        socket.end(`1\0${error}`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const name of Object.keys(programs)) {
      await writeFile(join(folder, name), standIn(port, name), { mode: 0o755 });
    }
    const env = { PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter), ...environment };
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', `${stageSettings}\n${script}`],
      { env },
    );
    return stdout;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A program that sends its arguments to this process and prints the response. A shell starts faster than Node.js. */
function standIn(port: number, name: string): string {
  return `#!/usr/bin/env bash
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\0' $(($# + 1)) ${name} "$@" >&3
IFS= read -rd '' code <&3
IFS= read -rd '' output <&3
((code)) && exec >&2
printf '%s\\n' "$output"
exit "$code"
`;
}

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
