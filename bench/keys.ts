/**
 * `npm run bench -- keys`: checks an API key with both its limits. Compares this project with a read and two
 * conditional counters, and with a read and two limiters of `rate-limiter-flexible`. All use one local emulator in the
 * same run. Before anything is timed, their decisions are compared, up to the 61st request and for a revoked key.
 *
 * The emulator is a process on this machine: a call costs little more than the SDK itself. In the cloud a call takes
 * milliseconds, and the number of calls is what counts.
 */
import { deepStrictEqual } from 'node:assert/strict';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { limits } from '../contract/limits.ts';
import { windowsAt } from '../core/limits/windows.ts';
import { issueKey } from '../test/support/api-keys.ts';
import { connectFunctions, createTables, startDynamo } from '../test/support/dynamo.ts';
import {
  type Contender,
  connection,
  createCounterTables,
  flexible,
  naive,
  ours,
  rollingOver,
} from './keys/baselines.ts';
import type { Row } from './row.ts';
import { median, ratioOf, type Size, takeTurns, together } from './turns.ts';

const sizes = {
  full: { keys: 12, requestsPerKey: 40, rounds: 11, flood: 2_000, skewStepMs: 2 },
  tiny: { keys: 2, requestsPerKey: 3, rounds: 1, flood: 16, skewStepMs: 100 },
} as const;

/** The number of concurrent requests. */
const width = 16;
const skewsMs = [-60, 0, 60];

/** Checks that of 61 requests in a minute 60 pass; a revoked key, an expired one and an unknown one never do. */
async function assertSameDecisions(contenders: readonly Contender[], documents: DynamoDBDocumentClient): Promise<void> {
  // The clock windows of two contenders must not change during the comparison.
  const at = Date.now();
  const expected = [...Array.from({ length: limits.requests.key.perMinute }, () => true), false, false, false, false];
  for (const contender of contenders) {
    const check = contender.container(() => at);
    const { hash } = await issueKey(documents);
    const revoked = await issueKey(documents, { status: 'revoked' });
    const expired = await issueKey(documents, { expiresAt: at - 1 });
    const hashes = [...Array.from({ length: limits.requests.key.perMinute + 1 }, () => hash)];
    const decisions: boolean[] = [];
    for (const one of [...hashes, revoked.hash, expired.hash, 'unknown']) decisions.push(await check(one));
    deepStrictEqual(decisions, expected);
  }
}

/** The number of calls per request above the limit: one key, its minute used up, four containers. */
async function flood(contender: Contender, documents: DynamoDBDocumentClient, requests: number): Promise<number> {
  const at = Date.now();
  const { hash } = await issueKey(documents);
  const containers = Array.from({ length: 4 }, () => contender.container(() => at));
  const [first] = containers;
  for (let i = 0; i < limits.requests.key.perMinute; i++) await first?.(hash);
  const before = contender.calls.length;
  const passed = await Promise.all(
    containers.map((check) => together(Array.from({ length: requests / containers.length }), width, () => check(hash))),
  );
  deepStrictEqual(passed.flat().filter(Boolean), []);
  return (contender.calls.length - before) / requests;
}

/** Requests that passed above the limit, while three containers with different clocks pass the end of a minute. */
async function overAdmission(contender: Contender, documents: DynamoDBDocumentClient, stepMs: number): Promise<number> {
  const { hash } = await issueKey(documents);
  let time = 0;
  const containers = skewsMs.map((skew) => contender.container(() => time + skew));
  const edge = (windowsAt(Date.now()).minute + 1) * 60_000;
  let passed = 0;
  for (time = edge - 100; time <= edge + 100; time += stepMs) {
    const checks = containers.flatMap((check) => [check, check, check, check]);
    passed += (await Promise.all(checks.map((check) => check(hash)))).filter(Boolean).length;
  }
  return Math.max(0, passed - 2 * limits.requests.key.perMinute);
}

/** The rows about the key check. Takes about a minute. */
export async function bench(size: Size): Promise<Row[]> {
  const { keys, requestsPerKey, rounds, flood: floodRequests, skewStepMs } = sizes[size];
  const emulator = await startDynamo();
  await createTables(emulator.endpoint);
  connectFunctions(emulator.endpoint);
  const admin = connection(emulator);
  await createCounterTables(admin);
  const contenders = { ours: ours(emulator), naive: naive(emulator), flexible: flexible(emulator) };
  const rolling = rollingOver(emulator);
  try {
    await assertSameDecisions(Object.values(contenders), admin.documents);

    let hashes: string[] = [];
    const callsOf: Record<string, number> = {};
    const requests = keys * requestsPerKey;
    const times = await takeTurns(
      Object.entries(contenders).map(([name, contender]) => {
        const check = contender.container();
        return {
          name,
          prepare: async () => {
            hashes = (await together(Array.from({ length: keys }), width, () => issueKey(admin.documents))).map(
              ({ hash }) => hash,
            );
            contender.calls.length = 0;
          },
          run: async () => {
            const perRequest = Array.from({ length: requests }, (_, i) => hashes[i % keys] ?? '');
            deepStrictEqual(new Set(await together(perRequest, width, check)), new Set([true]));
            callsOf[name] = contender.calls.length / requests;
          },
        };
      }),
      rounds,
    );
    const perSecond = (name: string) => (requests / median(times.get(name) ?? [])) * 1_000;
    const versusNaive = ratioOf(times, 'naive', 'ours');
    const versusFlexible = ratioOf(times, 'flexible', 'ours');
    const flooded = {
      ours: await flood(contenders.ours, admin.documents, floodRequests),
      naive: await flood(contenders.naive, admin.documents, floodRequests),
      flexible: await flood(contenders.flexible, admin.documents, floodRequests),
    };
    const over = {
      ours: await overAdmission(contenders.ours, admin.documents, skewStepMs),
      rolling: await overAdmission(rolling, admin.documents, skewStepMs),
    };

    const calls = (name: string, value: number | undefined): Row => ({
      name: `keys: ${name}`,
      value: value ?? Number.NaN,
      unit: 'DynamoDB calls a request',
    });
    return [
      { ...calls('ours', callsOf.ours), goal: 'exactly 1.00', met: callsOf.ours === 1 },
      calls('read and two counters', callsOf.naive),
      calls('read and rate-limiter-flexible × 2', callsOf.flexible),
      { name: 'keys: ours', value: perSecond('ours'), unit: 'requests/s' },
      {
        name: 'keys: read and two counters',
        value: perSecond('naive'),
        unit: 'requests/s',
        ratio: `ours is ${versusNaive.toFixed(2)} ×`,
        goal: 'ours ≥ 2.5 ×',
        met: versusNaive >= 2.5,
      },
      {
        name: 'keys: read and rate-limiter-flexible × 2',
        value: perSecond('flexible'),
        unit: 'requests/s',
        ratio: `ours is ${versusFlexible.toFixed(2)} ×`,
        goal: 'ours ≥ 4.5 ×',
        met: versusFlexible >= 4.5,
      },
      { ...calls('flood over the limit, ours', flooded.ours), goal: '≤ 0.05', met: flooded.ours <= 0.05 },
      calls('flood over the limit, read and two counters', flooded.naive),
      calls('flood over the limit, read and rate-limiter-flexible × 2', flooded.flexible),
      {
        name: 'keys: clocks ± 60 ms apart at the end of a minute, ours',
        value: over.ours,
        unit: 'requests too many',
        goal: '0',
        met: over.ours === 0,
      },
      {
        name: 'keys: clocks ± 60 ms apart at the end of a minute, one counter that each new minute resets',
        value: over.rolling,
        unit: 'requests too many',
        ratio: `${((100 * over.rolling) / (2 * limits.requests.key.perMinute)).toFixed(0)} % over`,
      },
    ];
  } finally {
    for (const contender of [...Object.values(contenders), rolling]) contender.close();
    admin.client.destroy();
    await emulator.stop();
  }
}
