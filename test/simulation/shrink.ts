/** Finds the shortest scenario that still shows a violation of a long one. */
import { removableFaults, type Scenario } from './scenario.ts';

/** The number of seeds that are tried for scenarios of one length. */
const seedsTried = 3;

export interface ShrinkOptions {
  readonly violates: (scenario: Scenario) => Promise<boolean>;
  readonly tries: number;
  readonly onShorter?: (scenario: Scenario) => void;
}

/** Returns smaller scenarios that differ in one respect, smallest first. */
type Step = (scenario: Scenario) => readonly Scenario[];

const fewerEvents: Step = (scenario) => smaller(scenario.events).map((events) => ({ ...scenario, events }));
const fewerBusinesses: Step = (scenario) =>
  smaller(scenario.businesses ?? 32).map((businesses) => ({ ...scenario, businesses }));
const shorter: Step = (scenario) => smaller(scenario.span ?? 60).map((span) => ({ ...scenario, span }));
const fewerFaults: Step = (scenario) => {
  const left = removableFaults.filter((one) => !scenario.without.includes(one));
  if (left.length === 0) return [];
  return [left, ...left.map((one) => [one])].map((more) => ({ ...scenario, without: [...scenario.without, ...more] }));
};

/** A hundredth, a tenth, a half and three quarters of the number, and one less. */
function smaller(count: number): readonly number[] {
  const shares = [0.01, 0.1, 0.5, 0.75].map((share) => Math.floor(count * share));
  return [...new Set([...shares, count - 1])].filter((one) => one >= 1 && one < count);
}

/** The order: events, then faults, then businesses and the span. */
const steps: readonly Step[] = [fewerEvents, fewerFaults, fewerBusinesses, shorter];

/** Makes a failing scenario smaller in one way after the other, as long as it still fails and tries remain. */
export async function shrink(failing: Scenario, { violates, tries, onShorter }: ShrinkOptions): Promise<Scenario> {
  let left = tries;
  const fails = async (scenario: Scenario): Promise<Scenario | undefined> => {
    for (let i = 0; i < seedsTried && left > 0; i++) {
      left -= 1;
      const one = { ...scenario, seed: scenario.seed + i };
      if (await violates(one)) return one;
    }
    return undefined;
  };
  let smallest = failing;
  for (let wasShorter = true; wasShorter && left > 0; ) {
    wasShorter = false;
    for (const step of steps) {
      const tried = new Set<string>();
      for (let found = true; found; ) {
        found = false;
        for (const candidate of step(smallest)) {
          const name = JSON.stringify({ ...candidate, seed: 0 });
          if (tried.has(name)) continue;
          tried.add(name);
          const shown = await fails(candidate);
          if (!shown) continue;
          smallest = shown;
          onShorter?.(smallest);
          [found, wasShorter] = [true, true];
          break;
        }
      }
    }
  }
  return smallest;
}
