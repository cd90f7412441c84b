#!/usr/bin/env node
/** `npm test` runs the tests, optionally on another emulator. All other flags are passed to vitest. */
import { parseArgs } from 'node:util';
import { findProgram, programs } from '../packages/local-cloud/src/dynamodb-programs.ts';
import { runCommand, UsageError } from './command-line.ts';
import { exitCodeOf, startTool, withFiles } from './tool.ts';

const help = `Runs the tests. All other arguments are passed to vitest: names of files, -t, --reporter.

  npm test -- [flags] [files]

  --emulator NAME  the program for all tables: ${Object.keys(programs).join(' or ')}. By default, most tests of core/ have their
                   tables in memory. Without names of files, runs the tests that use tables, test/core and
                   test/journeys. docs/decisions/dynamodb-emulators.md lists the differences
  --help           also prints the flags of vitest`;

const options = { emulator: { type: 'string' }, help: { type: 'boolean' } } as const;

async function test(args: readonly string[]): Promise<void> {
  const { values, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const own = tokens.filter((token) => token.kind === 'option' && token.name === 'emulator');
  const taken = new Set(
    own.flatMap((one) => ('inlineValue' in one && !one.inlineValue ? [one.index, one.index + 1] : [one.index])),
  );
  const passedOn = args.filter((_, i) => !taken.has(i));
  if (values.help) console.log(`${help}\n`);
  const emulator = values.emulator;
  if (emulator === undefined) return vitest(passedOn, {});
  const find = Object.entries(programs).find(([name]) => name === emulator)?.[1];
  if (!find) throw new UsageError(`--emulator must be one of ${Object.keys(programs).join(', ')}.`);
  // A missing program is reported here, once.
  await findProgram({ [String(emulator)]: find });
  await vitest(withFiles(passedOn, ['test/core/', 'test/journeys/']), { DYNAMODB_EMULATOR: String(emulator) });
}

async function vitest(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  process.exitCode = await exitCodeOf(startTool('vitest', ['run', ...args], { env: { ...process.env, ...env } }));
}

await runCommand(test);
