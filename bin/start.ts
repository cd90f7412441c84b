#!/usr/bin/env node
/** Runs the whole system on this machine, with a demo business. */
import inspector from 'node:inspector';
import { adminOf } from '../local/admin.ts';
import { demoOwner, newOwner } from '../local/demo.ts';
import { type DemoReceiver, leadTo, openDemoReceiver } from '../local/demo-receiver.ts';
import type { Past } from '../local/past/make-past.ts';
import { pastOf, putPast } from '../local/past/seed-past.ts';
import { type Demo, isSeeded, seedDemo } from '../local/seed-demo.ts';
import { type LocalRun, startLocal } from '../local/start-local.ts';
import { signInLink, siteConfig, welcome } from '../local/welcome.ts';
import { type Faults, parseFaults } from '../packages/local-cloud/src/faults.ts';
import type { LogLine } from '../packages/local-cloud/src/log.ts';
import { numberFlag, portError, readFlags, runCommand, stopSignal, UsageError } from './command-line.ts';

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
  const began = performance.now();
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
  const data = flags.data;
  const inspectPort = numberFlag('--inspect-port', flags['inspect-port'], { min: 0, max: 65_535 });
  const faults = flags.faults === undefined ? undefined : faultsFlag(flags.faults);

  const progress = (line: string) => {
    console.error(`${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  };
  const stopped = stopSignal();
  let isStopping = false;
  void stopped.then(() => {
    isStopping = true;
    console.error('Stopping. Press Ctrl-C again to end at once.');
  });

  if (flags.inspect) openInspector(inspectPort);
  const history = flags.json ? undefined : await beginPast(data);
  const run = await startLocal({
    port,
    timeScale,
    progress,
    withSite: true,
    ...((flags.watch || flags.inspect) && {
      live: { watch: flags.watch, inspect: flags.inspect, report: (words: string) => console.error(words) },
    }),
    ...(data !== undefined && { dataDir: data }),
    ...(faults && { faults }),
  }).catch((error) => {
    // A stop during the start is no error; all that was started has been stopped.
    if (isStopping) process.exit(0);
    throw portError(error, port);
  });
  try {
    if (!isStopping) {
      run.log.subscribe((line) => show(line, flags.verbose));
      progress('writing the demo business');
      const demo = await seeded(run, data, history);
      const { id: tenantId, name } = demo.tenant.business;
      run.owners?.invite({ tenantId, email: demoOwner, name: `Owner of ${name}` });
      run.owners?.invite(newOwner);
      const ownerToken = await run.owners?.token(tenantId);
      const about = { run, demo, ownerToken, dataDir: data, timeScale };
      run.site?.configure(siteConfig(about));
      if (!isStopping) {
        progress('ready');
        console.log(flags.json ? readyLine(run, demo, ownerToken) : welcome(about));
      }
    }
    await stopped;
  } catch (error) {
    // The signal also ends the emulators, to which the demo is written.
    if (!isStopping) throw error;
  } finally {
    history?.receiver.close();
    await run.stop();
  }
  // After the debugger has left, an orderly exit would wait for functions that are still at breakpoints.
  if (flags.inspect) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

function openInspector(port: number): void {
  inspector.open(port, '127.0.0.1');
  // `inspector.open` prints the reason on stderr, and does not throw.
  if (!inspector.url())
    throw new Error(`The debugger port ${port} cannot be opened: choose another one with --inspect-port.`);
}

function faultsFlag(text: string): Faults {
  try {
    return parseFaults(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface History {
  readonly now: number;
  readonly receiver: DemoReceiver;
  readonly past: () => Promise<Past>;
}

/** Creates the past of a new business while the system starts. */
async function beginPast(dataDir: string | undefined): Promise<History> {
  const now = Date.now();
  const receiver = await openDemoReceiver();
  const begin = () => pastOf(receiver.url, now);
  if (dataDir !== undefined && isSeeded(dataDir)) return { now, receiver, past: begin };
  const begun = begin();
  // The error is reported to the caller that awaits the promise.
  begun.catch(() => undefined);
  return { now, receiver, past: () => begun };
}

async function seeded(run: LocalRun, dataDir: string | undefined, history: History | undefined): Promise<Demo> {
  const admin = adminOf(run);
  try {
    if (!history) return await seedDemo(admin, dataDir, Date.now());
    const { now, receiver, past } = history;
    const demo = await seedDemo(admin, dataDir, now, async () => putPast(run, admin, await past(), now));
    await leadTo(admin, demo.tenant.business.id, receiver.url);
    return demo;
  } finally {
    admin.db.destroy();
  }
}

/** Prints for scripts what they need for the first call. */
function readyLine(run: LocalRun, { apiKey, testKey, tenant, free }: Demo, ownerToken: string | undefined): string {
  const { id, timeZone } = tenant.business;
  return JSON.stringify({
    baseUrl: run.baseUrl,
    apiKey,
    testKey,
    ownerToken: ownerToken ?? null,
    signInLink: run.owners ? signInLink(run) : null,
    signIn: run.owners ? { issuer: run.owners.issuer, clientId: run.owners.audience, email: demoOwner } : null,
    inspectorUrl: inspector.url() ?? null,
    businessId: id,
    timeZone,
    services: tenant.services.map(({ id, name, staffIds }) => ({ id, name, staffIds })),
    staff: tenant.staff.map(({ id, name, serviceIds }) => ({ id, name, serviceIds })),
    free: free ?? null,
  });
}

/** A refused call is a mistake in a row's needs, and an error or crash of a function is a bug: both are printed. */
function show(line: LogLine, verbose: boolean): void {
  const worthIt = line.kind === 'denied' || /"level":\s*"(ERROR|CRITICAL)"|^(?:Runtime|Sandbox)\./.test(line.text);
  if (verbose || worthIt) console.error(`${line.functionName || 'local'}: ${line.text}`);
}

// The data contain secrets of webhooks: all files of this process and its emulator are readable only by their owner.
process.umask(0o077);
await runCommand(start);
