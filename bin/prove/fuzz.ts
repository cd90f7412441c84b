#!/usr/bin/env node
/** Sends random and hostile requests to both APIs of a local run, with a number, a seed and a start as flags. */
import type { FuzzReport } from '../../test/fuzz/fuzz.ts';
import { requestsPerPair } from '../../test/fuzz/requests-per-pair.ts';
import { numberFlag, readFlags, runCommand, stopSignal } from '../command-line.ts';

const help = `Starts the system, and sends random and hostile requests to both APIs, as bytes through the local gateway. Each response is
compared with what the documents promise. The exit code is 0 if all requests were sent, all responses comply, and the
memory does not grow.

  npm run prove -- fuzz [flags]

  --requests N   default 20000
  --seed S       default 1; the same seed gives the same requests
  --from N       continues with request N, which Ctrl-C prints; N is rounded down to a multiple of ${requestsPerPair}
  --help`;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  });
  const requests = numberFlag('--requests', flags.requests, { min: 1, max: 100_000_000 });
  const seed = numberFlag('--seed', flags.seed, { min: 0, max: 1_000_000 });
  const from = numberFlag('--from', flags.from, { min: 0, max: requests - 1 });
  const [{ startLocal }, { fuzz }, { judgeMemory }] = await Promise.all([
    import('../../local/start-local.ts'),
    import('../../test/fuzz/fuzz.ts'),
    import('../../test/fuzz/memory.ts'),
  ]);

  const interrupted = new AbortController();
  void stopSignal().then(() => interrupted.abort());
  const sizes: number[] = [];
  const began = performance.now();
  const local = await startLocal({ port: 0, workersPerFunction: 1, progress: (line) => console.error(line) });
  try {
    const report = await fuzz(local, {
      requests,
      seed,
      from,
      signal: interrupted.signal,
      onViolation: (violation) => console.error(`VIOLATION ${violation}`),
      onProgress: ({ next, violationCount }) => {
        const megabytes = Math.round(process.memoryUsage.rss() / 1_048_576);
        sizes.push(megabytes);
        const seconds = ((performance.now() - began) / 1_000).toFixed(0);
        console.error(`${next} of ${requests} requests, ${seconds} s, ${megabytes} MB, ${violationCount} violations`);
      },
    });
    const { grows, verdict } = judgeMemory(sizes);
    print(report);
    console.log(`Memory: ${verdict}.`);
    const isInterrupted = report.next < requests;
    if (isInterrupted) {
      console.log(`Continue with: npm run prove -- fuzz --requests ${requests} --seed ${seed} --from ${report.next}`);
    }
    if (report.violationCount > 0 || grows || isInterrupted) process.exitCode = 1;
  } finally {
    await local.stop();
  }
}

function print({ byStatus, seen, busy, violations, violationCount, byRule }: FuzzReport): void {
  const counts = Object.entries(byStatus).map(([status, count]) => `${count} × ${status}`);
  console.log(`Responses: ${counts.join(', ')}; ${seen.size} pairs of operation and status.`);
  if (busy > 0) console.log(`${busy} requests got 503, because the machine was too busy, and were sent again.`);
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  const broken = Object.entries(byRule).map(([rule, count]) => `${count} × ${rule}`);
  console.log(`${violationCount} violations${broken.length > 0 ? `: ${broken.join(', ')}` : ''}.`);
}

await runCommand(run);
