#!/usr/bin/env node
/** Runs the whole system on this machine, with a demo business. */
import { type Faults, parseFaults } from '../packages/local-cloud/src/faults.ts';
import { numberFlag, readFlags, runCommand, UsageError } from './command-line.ts';

const help = `Runs the whole booking API on this machine, from the templates that are deployed. Needs no AWS account and no Docker.

  npm start -- [flags]

  --port N         the port of the API on 127.0.0.1, default 8787; 0 chooses a free port
  --data DIR       keeps data and keys in this folder for the next start. Without it, all data is lost at the end.
  --time-scale N   divides the waits between delivery attempts by N: with 60, attempt 2 follows after a second instead
                   of a minute. Queues add 1 to 2.5 s to each wait.
  --faults LIST    makes a share of the AWS calls of functions fail: throttle=0.05,fail=0.01,half-open=0.01,slow=0.1,seed=7
                   throttle: the call is refused as throttled; fail: it fails; half-open: it gets no response, and half
                   of these calls take effect; slow: it takes a second longer. The seed chooses the calls.
  --watch          applies an edit to a handler, to core/ or to contract/ within a second; data and queues do not change
  --inspect        lets a debugger attach at --inspect-port, default 9229; functions have no time-outs (docs/debugging.md)
  --json           for scripts: prints one line of JSON on stdout when ready, and everything else on stderr. The demo
                   business then has no past bookings. Use npm start --silent -- --json, because npm prints a banner
  --verbose        prints every log line of the functions, not only errors and refused calls
  --help

Ctrl-C stops the run, and a second Ctrl-C ends it at once.`;

async function start(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    port: { type: 'string', default: '8787' },
    data: { type: 'string' },
    'time-scale': { type: 'string', default: '1' },
    faults: { type: 'string' },
    watch: { type: 'boolean', default: false },
    inspect: { type: 'boolean', default: false },
    'inspect-port': { type: 'string', default: '9229' },
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  });
  const port = numberFlag('--port', flags.port, { min: 0, max: 65_535 });
  const timeScale = numberFlag('--time-scale', flags['time-scale'], { min: 1, max: 100_000, whole: false });
  if (flags.data === '') throw new UsageError('--data must name a folder.');
  const inspectPort = numberFlag('--inspect-port', flags['inspect-port'], { min: 0, max: 65_535 });
  const faults = flags.faults === undefined ? undefined : faultsFlag(flags.faults);

  const { runDemo } = await import('./start-demo.ts');
  await runDemo({ ...flags, port, timeScale, inspectPort, faults });
}

function faultsFlag(text: string): Faults {
  try {
    return parseFaults(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

// The data contain secrets of webhooks: all files of this process and its emulator are readable only by their owner.
process.umask(0o077);
await runCommand(start);
