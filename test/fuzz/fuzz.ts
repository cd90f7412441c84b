/**
 * Random and hostile requests over both APIs through the local gateway. Request `n` depends only on `n` and the seed,
 * and every `requestsPerPair` requests two new businesses take over. So a run can continue an earlier one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { type Admin, adminOf } from '../../local/admin.ts';
import type { LocalRun } from '../../local/start-local.ts';
import { openReceiver } from '../../local/webhook-receiver.ts';
import { Business } from './business.ts';
import { type Drawn, requestsTo } from './draw.ts';
import { violations } from './judge.ts';
import { type Operation, publishedOperations } from './published.ts';
import { requestsPerPair } from './requests-per-pair.ts';
import { send, type WireAnswer } from './wire.ts';

const lanes = 12;
const shownViolations = 20;
/** The number of log lines in which the reason of a failure is searched. */
const logLinesRead = 300;
const saidLength = 1_000;

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** The first request; rounded down to the first of its businesses. Default 0. */
  readonly from?: number;
  /** Only these operations. Default: all of both documents. */
  readonly only?: (operation: Operation) => boolean;
  readonly onProgress?: (report: FuzzReport) => void;
  /** Called at once with the request, before a long run ends. */
  readonly onViolation?: (violation: string) => void;
  readonly signal?: AbortSignal;
}

export interface FuzzReport {
  readonly next: number;
  readonly byStatus: Readonly<Record<number, number>>;
  /** `operationId status` of every response. */
  readonly seen: ReadonlySet<string>;
  /** How often a function timed out, or found no store, and the request was repeated after its `Retry-After`. */
  readonly busy: number;
  readonly violationCount: number;
  readonly byRule: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

type Local = Pick<LocalRun, 'baseUrl' | 'awsEndpoint' | 'adminAccessKeyId' | 'resources' | 'owners' | 'log'>;

interface BusinessPair {
  readonly businesses: readonly Business[];
  readonly draws: Map<string, fc.Arbitrary<Drawn>>;
}

export async function fuzz(run: Local, options: FuzzOptions): Promise<FuzzReport> {
  const { requests, seed, from = 0, only = () => true } = options;
  const { owners } = run;
  if (!owners) throw new Error('The local run issues no tokens.');
  const admin = adminOf(run);
  const receiver = await openReceiver({ port: 0, onDelivery: () => undefined });
  const operations = publishedOperations();
  const selected = operations.filter(only);
  const report = {
    next: from - (from % requestsPerPair),
    byStatus: {} as Record<number, number>,
    seen: new Set<string>(),
    busy: 0,
    violationCount: 0,
    byRule: {} as Record<string, number>,
    violations: [] as string[],
  };
  try {
    while (report.next < requests && !options.signal?.aborted) {
      const pair = await createPair(admin, owners, receiver.url);
      const end = Math.min(report.next + requestsPerPair, requests);
      let next = report.next;
      const lane = async () => {
        while (next < end && !options.signal?.aborted) await one(next++, pair);
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      report.next = options.signal?.aborted ? report.next : end;
      options.onProgress?.(report);
    }
  } catch (error) {
    // The run ends at Ctrl-C, too.
    if (!options.signal?.aborted) throw error;
  } finally {
    admin.db.destroy();
    await receiver.close();
  }
  return report;

  async function one(n: number, { businesses, draws }: BusinessPair): Promise<void> {
    const operation = selected[n % selected.length];
    // By rounds: with `n` alone, each operation would always use one business if three divides their number.
    const round = Math.floor(n / selected.length);
    const [business, other] = round % 3 === 0 ? businesses.toReversed() : businesses;
    if (!operation || !business || !other) throw new Error('There is nothing to ask.');
    const name = `${business.id} ${operation.api} ${operation.operationId}`;
    const drawing =
      draws.get(name) ??
      requestsTo(operation, { known: (...of) => business.known(...of), foreign: (...of) => other.known(...of) });
    draws.set(name, drawing);
    const [drawn] = fc.sample(drawing, { seed: seed * 1_000_003 + n, numRuns: 1 });
    if (!drawn) throw new Error('Nothing was drawn.');
    const headers = [...(await business.credentials(operation.api, drawn.credential)), ...drawn.headers];
    const request = { ...drawn, headers, foreign: other.own };
    const found = await answerTo(request).then(
      (answer) => {
        if (options.signal?.aborted) return [];
        report.byStatus[answer.status] = (report.byStatus[answer.status] ?? 0) + 1;
        report.seen.add(`${operation.operationId} ${answer.status}`);
        if (answer.status < 300 && answer.text.startsWith('{')) {
          business.learnFrom(operation.path, JSON.parse(answer.text));
        }
        const logged = answer.status >= 500 ? ` | ${loggedOf(answer, request)}` : '';
        return violations(request, answer, operations).map(
          (line) => `${line} | ${answer.status} ${answer.text.slice(0, 300)}${logged}`,
        );
      },
      (error: Error) => (options.signal?.aborted ? [] : [`no answer: ${error.message}`]),
    );
    report.violationCount += found.length;
    for (const line of found) {
      const rule = line.slice(0, line.indexOf(':'));
      report.byRule[rule] = (report.byRule[rule] ?? 0) + 1;
      const violation = `request ${n}: ${line} | ${shown(request)}`;
      options.onViolation?.(violation);
      if (report.violations.length < shownViolations) report.violations.push(violation);
    }
  }

  /**
   * An overloaded machine lets a call time out: 503 with the time of the next try, when nothing was done; or the
   * gateway's own 500, if the function did not respond. A request that gets this twice in a row is a finding.
   */
  async function answerTo(request: Drawn): Promise<WireAnswer> {
    const answer = await send(run.baseUrl, request);
    const waitSeconds = Number(answer.headers.get('retry-after'));
    const isBusy = answer.status === 503 && waitSeconds >= 1;
    const isLate = answer.status === 500 && loggedOf(answer, request).includes('Sandbox.Timedout');
    if (!isBusy && !isLate) return answer;
    report.busy += 1;
    await sleep(waitSeconds * 1_000);
    return send(run.baseUrl, request);
  }

  /** The log lines about a failure: by the id of the request, or by its path if no function responded. */
  function loggedOf({ headers }: WireAnswer, { method, target }: Drawn): string {
    const named = headers.get('x-request-id') ?? `${method} ${target.split('?')[0]}: `;
    const lines = run.log.lines.slice(-logLinesRead).filter(({ text }) => text.includes(named));
    return lines
      .map(({ functionName, text }) => `${functionName} ${text}`)
      .join(' ')
      .slice(0, saidLength);
  }
}

async function createPair(admin: Admin, owners: NonNullable<Local['owners']>, receiver: string): Promise<BusinessPair> {
  // Only loopback targets are used, so that nothing is sent to other machines.
  const targets = [`${receiver}/hooks`, 'http://localhost:1/refused', 'https://localhost:65535/closed'];
  const businesses = await Promise.all([1, 2].map(() => Business.create(admin, owners, targets)));
  return { businesses, draws: new Map() };
}

function shown({ method, target, headers, body }: Drawn): string {
  const publicHeaders = headers.filter((line) => !/^(?:X-API-Key|Authorization)/i.test(line));
  return [`${method} ${target}`, ...publicHeaders, String(body)]
    .map((text) => JSON.stringify(text.slice(0, 400)))
    .join(' ');
}
