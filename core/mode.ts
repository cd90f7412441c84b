/**
 * Live and test mode (docs/rules.md#test-mode). The sandbox of a business is a tenant like any other. The tenant of a
 * request is determined once, at its start; the mode matters nowhere else. The id of a sandbox is the id of the
 * business plus 2^52. So it is known without a read, and no other id equals it (docs/decisions/sandboxes.md).
 */
import type { Mode } from '../contract/modes.ts';

/** New ids are below it until 2058: see `newId`. */
export const sandboxBit = 2 ** 52;

/** Whether an id is that of a sandbox, or of an item that was copied into one. */
export function isSandbox(id: number): boolean {
  return id >= sandboxBit;
}

/** The id of a business's sandbox, or of the copy of a live item in the sandbox. */
export function inSandbox(id: number): number {
  if (isSandbox(id)) throw new Error(`${id} is in a sandbox already`);
  return id + sandboxBit;
}

/** The business of a sandbox. */
export function liveOf(sandboxId: number): number {
  if (!isSandbox(sandboxId)) throw new Error(`${sandboxId} is no sandbox`);
  return sandboxId - sandboxBit;
}

/** The only function that makes a tenant of a business and a mode. */
export function tenantIn(mode: Mode, tenantId: number): number {
  return mode === 'test' ? inSandbox(tenantId) : tenantId;
}

export function modeOf(tenantId: number): Mode {
  return isSandbox(tenantId) ? 'test' : 'live';
}
