/** Lists every benchmark, and runs each in its own process, so that none warms up or slows down another. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.ts';
import type { Size } from './turns.ts';

interface Bench {
  readonly title: string;
  readonly run: (size: Size) => Promise<Row[]>;
}

export const benches: Readonly<Record<string, Bench>> = {
  slots: {
    title: 'Slots of 20 staff over 30 days',
    run: async (size) => (await import('./slots.ts')).slotsBench(size),
  },
  contention: {
    title: 'Concurrent bookings of the same time',
    run: async (size) => (await import('./contention.ts')).contentionBench(size),
  },
  keys: { title: 'Key check with both limits', run: async (size) => (await import('./keys.ts')).keysBench(size) },
  delivery: {
    title: 'Delivery pipeline, success path',
    run: async (size) => (await import('./delivery.ts')).deliveryBench(size),
  },
  latency: {
    title: 'From a booking to its receiver',
    run: async (size) => (await import('./latency.ts')).latencyBench(size),
  },
  neighbours: {
    title: 'First attempts while another tenant has very many',
    run: async (size) => (await import('./neighbours.ts')).neighboursBench(size),
  },
  readers: {
    title: 'Requests while feed readers of other tenants wait',
    run: async (size) => (await import('./neighbours.ts')).readersBench(size),
  },
  'deliveries-page': {
    title: 'Page 500 of the delivery records',
    run: async (size) => (await import('./deliveries-page.ts')).deliveriesPageBench(size),
  },
  growth: {
    title: 'Cost of requests as a business grows',
    run: async (size) => (await import('./growth.ts')).growthBench(size),
  },
  bundles: {
    title: 'Size and start of the bundles',
    run: async (size) => (await import('./bundles.ts')).bundlesBench(size),
  },
  start: {
    title: 'Start and reload of the local run',
    run: async (size) => (await import('./start.ts')).startBench(size),
  },
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
