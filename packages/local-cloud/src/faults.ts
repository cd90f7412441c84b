/**
 * Injected faults: calls of functions meet a throttled, failing, silent or slow service. A fault is drawn from the
 * seed, the function, the operation and a count, so that the tenth `PutItem` of a function has the same fault in every
 * run, whatever runs concurrently.
 */
import { createHash } from 'node:crypto';

/** The kinds of faults, with their descriptions. */
export const faultKinds = {
  throttle: 'refused as throttled',
  fail: 'failed',
  'half-open': 'without a response, though half of them took effect',
  slow: 'a second slower',
} as const;

export type FaultKind = keyof typeof faultKinds;

/** Shares of a function's calls from 0 to 1, together at most 1. `seed` is a whole number, by default 1. */
export type Faults = Readonly<Partial<Record<FaultKind | 'seed', number>>>;

export type DrawnFault = { readonly kind: FaultKind; readonly isDone: boolean };

export const slowMs = 1_000;

const kinds = Object.keys(faultKinds) as FaultKind[];

/** Parses `throttle=0.05,half-open=0.01,seed=7`. Throws an error of one sentence for other text. */
export function parseFaults(text: string): Faults {
  const faults: Partial<Record<FaultKind | 'seed', number>> = {};
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = /^([a-z-]+)=([0-9]+(?:\.[0-9]+)?)$/.exec(part) ?? [];
    const isSeed = name === 'seed' && Number.isSafeInteger(Number(value));
    const isShare = (kinds as string[]).includes(name) && Number(value) <= 1;
    if (value === '' || !(isSeed || isShare)) {
      throw new Error(
        `'${part}' is no fault: give ${kinds.join('=, ')}= with a share from 0 to 1, or seed= with a number.`,
      );
    }
    faults[name as FaultKind] = Number(value);
  }
  if (shareOf(faults) > 1) throw new Error(`The shares of ${text} add up to more than 1.`);
  return faults;
}

export function describeFaults(faults: Faults): string {
  const parts = kinds.flatMap((kind) => (faults[kind] ? [`${faults[kind] * 100} % ${faultKinds[kind]}`] : []));
  return `of the functions' calls, ${parts.join(', ')} (seed ${faults.seed ?? 1})`;
}

/** Returns the fault of each call, or undefined for none. */
export function drawFaults(faults: Faults): (functionName: string, operation: string) => DrawnFault | undefined {
  const counts = new Map<string, number>();
  return (functionName, operation) => {
    if (shareOf(faults) === 0) return undefined;
    const call = `${functionName} ${operation}`;
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    const drawn = createHash('sha256')
      .update(`${faults.seed ?? 1} ${call} ${count}`)
      .digest();
    let left = drawn.readUIntBE(0, 6) / 2 ** 48;
    for (const kind of kinds) {
      left -= faults[kind] ?? 0;
      if (left < 0) return { kind, isDone: kind === 'slow' || (kind === 'half-open' && drawn.readUInt8(6) < 128) };
    }
    return undefined;
  };
}

function shareOf(faults: Faults): number {
  return kinds.reduce((sum, kind) => sum + (faults[kind] ?? 0), 0);
}
