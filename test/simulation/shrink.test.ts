import { expect, test } from 'vitest';
import { removableFaults, type Scenario } from './scenario.ts';
import { shrink } from './shrink.ts';

const failing: Scenario = { preset: 'troubled', events: 5_000, seed: 1, without: [] };

/** Whether a run shows a violation that needs seven events, two businesses, an hour without the stream, and an odd seed. */
const violates = async ({ events, businesses = 32, without, seed }: Scenario) =>
  events >= 7 && businesses >= 2 && !without.includes('streamOff') && seed % 2 === 1;

test('The simulation with the flag `--shrink` finds the fewest events and faults that still cause a violation', async () => {
  const shorter: Scenario[] = [];
  const shortest = await shrink(failing, { violates, tries: 5_000, onShorter: (one) => shorter.push(one) });
  expect(shortest).toMatchObject({ events: 7, businesses: 2, span: 1 });
  expect(removableFaults.filter((one) => !shortest.without.includes(one))).toEqual(['streamOff']);
  expect(shorter.at(-1)).toEqual(shortest);
  for (const one of shorter) expect(await violates(one)).toBe(true);
});

test('With `--shrink`, the simulation stops after the given number of runs, and returns the smallest one with the violation', async () => {
  let runs = 0;
  const counted = (one: Scenario) => {
    runs += 1;
    return violates(one);
  };
  const shortest = await shrink(failing, { violates: counted, tries: 4 });
  expect(runs).toBe(4);
  expect(shortest.events).toBeLessThan(failing.events);
  expect(await violates(shortest)).toBe(true);
});
