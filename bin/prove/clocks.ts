#!/usr/bin/env node
/** `npm run prove -- clocks` runs tests at dates and in zones that expose errors of calendar arithmetic. */
import { canonicalTimeZone } from '../../contract/time-zones.ts';
import { readFlagsAndNames, runCommand, UsageError } from '../command-line.ts';
import { exitCodeOf, startTool, withFiles } from '../tool.ts';

interface Moment {
  readonly at: string;
  readonly zone: string;
}

/** The dates are in the future, because emulators use the real time and remove items that have expired by it. */
const moments: Readonly<Record<string, Moment>> = {
  'a leap day, and tomorrow there': { at: '2032-02-29T12:00:00Z', zone: 'Pacific/Auckland' },
  'a minute before clocks are put back': { at: '2032-10-31T00:59:00Z', zone: 'Europe/Berlin' },
  'an hour before a business opens, on a Monday': { at: '2032-11-22T06:00:00Z', zone: 'Europe/Riga' },
  'half a minute before the new year': { at: '2032-12-31T23:59:30Z', zone: 'America/Los_Angeles' },
};

const usual = ['test/core/', 'test/contract/', 'test/client/', 'test/console/'];

const help = `Runs tests at another time and in another time zone. The change applies to all
processes and threads of Node.js, and to pages in a browser.

  npm run prove -- clocks [flags] [files]

  --at ISO     one moment in the future, instead of these: ${Object.entries(moments)
    .map(([name, { at, zone }]) => `\n               ${at}  ${zone}: ${name}`)
    .join('')}
  --zone NAME  the time zone of the process; with --at, default UTC
  files        default ${usual.join(' ')}. Flags of vitest come after \`--\`: -t, --reporter
  --help`;

async function otherTimes(args: readonly string[]): Promise<void> {
  const { flags, names } = readFlagsAndNames(help, args, { at: { type: 'string' }, zone: { type: 'string' } });
  const { at } = flags;
  if (flags.zone !== undefined && at === undefined) throw new UsageError('--zone needs --at.');
  // Node.js would use UTC instead of an unknown name, an offset, or `europe/riga`.
  const zone = canonicalTimeZone(flags.zone ?? 'UTC');
  if (zone === undefined) throw new UsageError(`--zone: there is no time zone '${flags.zone}'.`);
  const chosen = at === undefined ? moments : { 'as asked': { at, zone } };
  for (const [name, moment] of Object.entries(chosen)) {
    const shiftMs = Date.parse(moment.at) - Date.now();
    if (!(shiftMs >= 0)) throw new UsageError('--at must be a moment in the future, such as 2032-02-29T12:00:00Z.');
    console.log(`\n▸ ${moment.at} in ${moment.zone}: ${name}`);
    process.exitCode = (await vitest(withFiles(names, usual), moment.zone, shiftMs)) || process.exitCode;
  }
}

/** Resolves with the exit code. */
function vitest(args: readonly string[], TZ: string, shiftMs: number): Promise<number> {
  const otherTime = new URL(`../../test/support/shifted-clock.mjs?shiftMs=${shiftMs}`, import.meta.url).href;
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${otherTime}`;
  return exitCodeOf(startTool('vitest', ['run', ...args], { env: { ...process.env, TZ, NODE_OPTIONS } }));
}

await runCommand(otherTimes);
