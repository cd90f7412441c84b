/** The run that `npm start` starts: the whole system, and a demo business. */
import inspector from 'node:inspector';
import { adminOf } from '../local/admin.ts';
import { demoOwner, newOwner } from '../local/demo.ts';
import { type DemoReceiver, leadTo, openDemoReceiver } from '../local/demo-receiver.ts';
import type { Past } from '../local/past/make-past.ts';
import { pastOf, putPast } from '../local/past/seed-past.ts';
import { type Demo, isSeeded, seedDemo } from '../local/seed-demo.ts';
import { type LocalRun, startLocal } from '../local/start-local.ts';
import { signInLink, siteConfig, welcome } from '../local/welcome.ts';
import type { Faults } from '../packages/local-cloud/src/faults.ts';
import type { LogLine } from '../packages/local-cloud/src/log.ts';
import { portError, stopSignal } from './command-line.ts';

export interface DemoRunOptions {
  readonly port: number;
  readonly data?: string | undefined;
  readonly timeScale: number;
  readonly faults: Faults | undefined;
  readonly watch: boolean;
  readonly inspect: boolean;
  readonly inspectPort: number;
  readonly json: boolean;
  readonly verbose: boolean;
}

/** Ends the process at Ctrl-C. */
export async function runDemo(options: DemoRunOptions): Promise<void> {
  const { port, data, timeScale, faults, watch, inspect, json, verbose } = options;
  const began = performance.now();
  const progress = (line: string) => {
    console.error(`${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  };
  const stopped = stopSignal();
  let isStopping = false;
  void stopped.then(() => {
    isStopping = true;
    console.error('Stopping. Press Ctrl-C again to end at once.');
  });

  if (inspect) openInspector(options.inspectPort);
  const history = json ? undefined : await beginPast(data);
  const run = await startLocal({
    port,
    timeScale,
    progress,
    withSite: true,
    ...((watch || inspect) && { live: { watch, inspect, report: (words: string) => console.error(words) } }),
    ...(data !== undefined && { dataDir: data }),
    ...(faults && { faults }),
  }).catch((error) => {
    // A stop during the start is no error; all that was started has been stopped.
    if (isStopping) process.exit(0);
    throw portError(error, port);
  });
  try {
    if (!isStopping) {
      run.log.subscribe((line) => show(line, verbose));
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
        console.log(json ? readyLine(run, demo, ownerToken) : welcome(about));
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
  if (inspect) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

function openInspector(port: number): void {
  inspector.open(port, '127.0.0.1');
  // `inspector.open` prints the reason on stderr, and does not throw.
  if (!inspector.url())
    throw new Error(`The debugger port ${port} cannot be opened: choose another one with --inspect-port.`);
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

/** Prints refused calls (the row of the function lacks a need), errors and crashes, and why the run cannot go on. */
function show(line: LogLine, verbose: boolean): void {
  const worthIt =
    ['denied', 'fatal'].includes(line.kind) || /"level":\s*"(ERROR|CRITICAL)"|^(?:Runtime|Sandbox)\./.test(line.text);
  if (verbose || worthIt) console.error(`${line.functionName || 'local'}: ${line.text}`);
}
