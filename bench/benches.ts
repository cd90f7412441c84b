/** Lists every benchmark, and runs each in its own process, so that none warms up or slows down another. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.ts';
import type { Size } from './turns.ts';

interface Bench {
  readonly title: string;
  readonly load: () => Promise<{ readonly bench: (size: Size) => Promise<Row[]> }>;
}

export const benches: Readonly<Record<string, Bench>> = {
  slots: { title: 'Slots of 20 staff over 30 days', load: () => import('./slots.ts') },
  contention: { title: 'Concurrent bookings of the same time', load: () => import('./contention.ts') },
  keys: { title: 'Key check with both limits', load: () => import('./keys.ts') },
  delivery: { title: 'Delivery pipeline, success path', load: () => import('./delivery.ts') },
  latency: { title: 'From a booking to its receiver', load: () => import('./latency.ts') },
  neighbours: { title: 'First attempts during a burst of another tenant', load: () => import('./neighbours.ts') },
  readers: {
    title: 'Requests while feed readers of other tenants wait',
    load: async () => ({ bench: (await import('./neighbours.ts')).readersBench }),
  },
  'deliveries-page': { title: 'Page 500 of the delivery records', load: () => import('./deliveries-page.ts') },
  growth: { title: 'Cost of requests as a business grows', load: () => import('./growth.ts') },
  bundles: { title: 'Size and start of the bundles', load: () => import('./bundles.ts') },
  start: { title: 'Start and reload of the local run', load: () => import('./start.ts') },
};

/** Rejects when the benchmark fails, for example because the contenders' results differ. */
export function runInProcess(name: string, size: Size): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL('./bench-process.ts', import.meta.url));
    const child = fork(file, [name, size], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    let rows: Row[] | undefined;
    child.on('message', (message) => {
      rows = message as Row[];
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (rows && code === 0) resolve(rows);
      else reject(new Error(`The benchmark ${name} failed:\n${complaint}`));
    });
  });
}
