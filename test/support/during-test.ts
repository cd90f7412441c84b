/** Changes that end with the test that makes them. */
import { onTestFinished } from 'vitest';
import { limits } from '../../contract/limits.ts';

/** Limits small enough to be reached. */
export function limitsDuringTest(changes: Partial<Record<keyof typeof limits, number>>): void {
  const before = { ...limits };
  onTestFinished(() => void Object.assign(limits, before));
  Object.assign(limits, changes);
}
