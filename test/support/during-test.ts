/** Makes changes that end with the test. */
import { onTestFinished } from 'vitest';
import { limits } from '../../contract/limits.ts';

/** Reduces limits so that a test can reach them. */
export function limitsDuringTest(changes: Partial<Record<keyof typeof limits, number>>): void {
  const before = { ...limits };
  onTestFinished(() => void Object.assign(limits, before));
  Object.assign(limits, changes);
}
