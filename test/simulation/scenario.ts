/** Parses and prints a simulated scenario as command-line flags, so that it can be repeated. */
import { type FaultRates, manyFaults, noFaults } from './faults.ts';
import { type PresetName, presets } from './presets.ts';
import type { SimulationOptions } from './simulation.ts';

export interface Scenario {
  readonly preset: PresetName;
  readonly events: number;
  readonly seed: number;
  /** A name of `injectedBugs` or `mutants`. */
  readonly bug?: string | undefined;
  /** How many businesses remain of the simulation's, from the first. Default: all. */
  readonly businesses?: number | undefined;
  /** Virtual hours in which events happen. Default: that of the simulation. */
  readonly span?: number | undefined;
  readonly without: readonly RemovableFault[];
}

const hourMs = 3_600_000;

export const removableFaults = [
  ...(Object.keys(noFaults) as (keyof FaultRates)[]),
  /** Periods of many faults, and calls of integrators. */
  'eventful',
  /** Hours without the stream. */
  'streamOff',
] as const;
export type RemovableFault = (typeof removableFaults)[number];

/** Throws a readable message for an unknown name. */
export function parseFaultNames(text: string): readonly RemovableFault[] {
  return text.split(',').flatMap((name) => {
    if (name === '') return [];
    const found = removableFaults.find((one) => one === name);
    if (!found) throw new Error(`'${name}' is none of ${removableFaults.join(', ')}`);
    return found;
  });
}

export function optionsOf({ preset, events, seed, businesses, span, without }: Scenario): SimulationOptions {
  const options: SimulationOptions = presets[preset].options(events, seed);
  const rates = { ...(options.rates ?? manyFaults) };
  for (const name of without) if (name in rates) rates[name as keyof FaultRates] = 0;
  return {
    ...options,
    rates,
    ...(span !== undefined && { spanMs: span * hourMs }),
    ...(without.includes('eventful') && { eventful: false }),
    ...(without.includes('streamOff') && { streamOff: undefined }),
    ...(businesses !== undefined && { businesses }),
  };
}

export function commandOf({ preset, events, seed, bug, businesses, span, without }: Scenario): string {
  const flags = [
    `--preset ${preset} --events ${events} --seed ${seed}`,
    ...(businesses === undefined ? [] : [`--businesses ${businesses}`]),
    ...(span === undefined ? [] : [`--span ${span}`]),
    ...(without.length === 0 ? [] : [`--without ${without.join(',')}`]),
    ...(bug === undefined ? [] : [`--bug ${bug}`]),
  ];
  return `npm run prove -- simulate ${flags.join(' ')}`;
}
