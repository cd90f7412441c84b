/** A region is lost repeatedly, and the other takes over with the items that had arrived (docs/rules.md#regions). */
import { expect, test, vi } from 'vitest';
import { duringTest } from '../support/during-test.ts';
import { simulateRegions } from './regions.ts';

vi.setConfig({ testTimeout: 600_000 });

const injected = vi.hoisted(() => ({ numbersGoOn: false }));
vi.mock(import('../../core/reconcile/numbers.ts'), async (original) => {
  const { renumber } = await original();
  return { renumber: async (...args) => (injected.numbersGoOn ? 0 : renumber(...args)) };
});

const history = { seed: 4, events: 1_000, failovers: 5 };

test('A failover to another region loses only unreplicated changes, and causes no overlapping bookings or reused message ids', async () => {
  const { violations, lost, raised, requests } = await simulateRegions(history);
  expect(violations).toEqual([]);
  // Some changes were really lost.
  expect(lost).toBeGreaterThan(0);
  expect(raised).toBeGreaterThan(0);
  expect(requests).toBeGreaterThan(history.events);
});

test('Negative control: without the command `reconcile` after a failover, events are lost and bookings overlap', async () => {
  const { kinds } = await simulateRegions({ ...history, withoutReconciliation: true });
  expect(Object.keys(kinds)).toEqual(expect.arrayContaining(['event', 'number', 'overlap', 'time']));
});

test('Negative control: if the command `reconcile` skips no message numbers after a failover, receivers get a number twice', async () => {
  duringTest(injected, { numbersGoOn: true });
  const { kinds } = await simulateRegions({ ...history, events: 400, failovers: 2 });
  expect(Object.keys(kinds)).toContain('number');
});
