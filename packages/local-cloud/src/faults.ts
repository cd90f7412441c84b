/**
 * Troubles on demand: what functions meet when they call a throttled, failing, silent or slow service. Drawn from a seed
 * by function, operation and count, so that the tenth `PutItem` of a function fares the same in every run, whatever runs
 * beside it.
 */
import { createHash } from 'node:crypto';

/** What can happen to a call, and how it is described. */
export const faultKinds = {
  throttle: 'refused as too many',
  fail: 'answered with an error of the service',
  'half-open': 'never answered, after half of them were done',
  slow: 'answered a second late',
} as const;

export type FaultKind = keyof typeof faultKinds;

/** Shares of a function's calls from 0 to 1, together at most 1. `seed`: a whole number, 1 when it is left out. */
export type Faults = Readonly<Partial<Record<FaultKind | 'seed', number>>>;

export type Fate = { readonly kind: FaultKind; readonly isDone: boolean };

export const slowMs = 1_000;

const kinds = Object.keys(faultKinds) as FaultKind[];

/** `throttle=0.05,half-open=0.01,seed=7`. Throws one sentence when it is something else. */
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
  if (shareOf(faults) > 1) throw new Error(`The shares of ${text} are more than 1 together.`);
  return faults;
}

/** In the words of the person who asked for them. */
export function describeFaults(faults: Faults): string {
  const parts = kinds.flatMap((kind) => (faults[kind] ? [`${faults[kind] * 100} % ${faultKinds[kind]}`] : []));
  return `of the functions' calls, ${parts.join(', ')} (seed ${faults.seed ?? 1})`;
}

/** Says of each call in turn what happens to it; nothing: it is done as always. */
export function drawFates(faults: Faults): (functionName: string, operation: string) => Fate | undefined {
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
