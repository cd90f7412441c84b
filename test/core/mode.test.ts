import { expect, test } from 'vitest';
import { firstIdAt } from '../../core/clock.ts';
import { inSandbox, isSandbox, liveOf, modeOf, sandboxBit, tenantIn } from '../../core/mode.ts';

test('The id of a business and the mode (live or test) can be computed from the tenant id, which names a business or its sandbox', () => {
  for (const tenantId of [1, 1_001, firstIdAt(Date.UTC(2026, 11, 1)), sandboxBit - 1]) {
    expect(modeOf(tenantIn('live', tenantId))).toBe('live');
    expect(modeOf(tenantIn('test', tenantId))).toBe('test');
    expect(liveOf(tenantIn('test', tenantId))).toBe(tenantId);
    expect(tenantIn('test', tenantId)).not.toBe(tenantId);
    expect(Number.isSafeInteger(tenantIn('test', tenantId))).toBe(true);
  }
});

test('No id that is generated in the next thirty years can be mistaken for the id of a sandbox', () => {
  expect(isSandbox(firstIdAt(Date.UTC(2058, 0, 1)))).toBe(false);
  expect([sandboxBit - 1, sandboxBit].map(isSandbox)).toEqual([false, true]);
});

test('Computing the sandbox id of a sandbox, or the live id of a live business, throws an error', () => {
  expect(() => inSandbox(inSandbox(7))).toThrow('in a sandbox already');
  expect(() => liveOf(7)).toThrow('no sandbox');
});
