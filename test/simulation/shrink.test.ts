/** A history that fails is made as short as it can be, and what is printed of it fails again. */
import { expect, test, vi } from 'vitest';
import type { InjectedBugName } from './injected-bugs.ts';
import { commandOf, optionsOf, parseTroubles, type Scenario } from './scenario.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulation.ts';

vi.setConfig({ testTimeout: 240_000 });

const violates = async (scenario: Scenario) => {
  const report = await simulate({ ...optionsOf(scenario), bug: scenario.bug as InjectedBugName, stopAtFirst: true });
  return report.violationCount > 0;
};

test.each([
  ['deduplicate-before-enqueue', 12],
  ['ping-counts-as-trigger', 4],
] as const)('The injected bug %s is shown by a minimal history of few events', async (bug, most) => {
  const failing: Scenario = { world: 'crowded', events: 1_000, seed: 1, bug, without: [] };
  const shortest = await shrink(failing, { violates, tries: 24 });
  process.stderr.write(`shrink: ${commandOf(shortest)}\n`);
  expect(shortest.events).toBeLessThanOrEqual(most);
  expect(await violates(shortest)).toBe(true);
  expect(await violates({ ...shortest, bug: undefined })).toBe(false);
});

test('A failing history is made smaller step by step as long as it fails', async () => {
  const asked: Scenario[] = [];
  const needs = (scenario: Scenario) =>
    scenario.events >= 7 && (scenario.businesses ?? 99) >= 3 && !scenario.without.includes('crash');
  const shortest = await shrink(
    { world: 'troubled', events: 20_000, seed: 5, without: [] },
    {
      tries: 1_000,
      violates: async (scenario) => {
        asked.push(scenario);
        return needs(scenario);
      },
    },
  );
  expect(shortest).toMatchObject({ events: 7, businesses: 3, span: 1 });
  expect(shortest.without).not.toContain('crash');
  expect(shortest.without).toHaveLength(11);
  expect(asked.every(({ events }) => events <= 20_000)).toBe(true);
});

test('A failing history is printed as the command-line flags that reproduce it', () => {
  const scenario: Scenario = {
    world: 'clocks',
    events: 9,
    seed: 4,
    businesses: 2,
    span: 3,
    without: parseTroubles('crash,eventful'),
    bug: 'no-sweeper',
  };
  expect(commandOf(scenario)).toBe(
    'npm run prove -- simulate --world clocks --events 9 --seed 4 --businesses 2 --span 3 --without crash,eventful --bug no-sweeper',
  );
  expect(optionsOf(scenario)).toMatchObject({ events: 9, spanMs: 10_800_000, eventful: false, rates: { crash: 0 } });
  expect(() => parseTroubles('thunder')).toThrow("'thunder' is none of");
});
