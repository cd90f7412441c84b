/**
 * Live and test (docs/rules.md#test-mode). The sandbox of a business is a tenant like any other, so nothing inside asks
 * for the mode: which tenant a call is for is settled once, on entry. Its id is that of the business with one bit
 * more, which is known without a read and which no id that is given out has (docs/decisions/sandboxes.md).
 */
import type { Mode } from '../contract/modes.ts';

/** Ids given out stay below it until 2058: see `newId`. */
export const sandboxBit = 2 ** 52;

/** Whether an id is that of a sandbox, or of what was copied into one. */
export function isSandbox(id: number): boolean {
  return id >= sandboxBit;
}

/** The id of a business's sandbox, and of what a sandbox has of the live catalogue. */
export function inSandbox(id: number): number {
  if (isSandbox(id)) throw new Error(`${id} is in a sandbox already`);
  return id + sandboxBit;
}

/** The business whose sandbox it is. */
export function liveOf(sandboxId: number): number {
  if (!isSandbox(sandboxId)) throw new Error(`${sandboxId} is no sandbox`);
  return sandboxId - sandboxBit;
}

/** The one place where a business and a mode become a tenant. */
export function tenantIn(mode: Mode, tenantId: number): number {
  return mode === 'test' ? inSandbox(tenantId) : tenantId;
}

export function modeOf(tenantId: number): Mode {
  return isSandbox(tenantId) ? 'test' : 'live';
}
