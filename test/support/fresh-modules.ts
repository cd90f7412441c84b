/**
 * Reloads the project's modules before each test file and restores the environment after it. Files of one worker share
 * only packages, which are slow to load. So tests mock clients that `core/clients.ts` creates, and not the classes of a
 * package.
 */
import { afterAll, vi } from 'vitest';

const before = { ...process.env };
vi.resetModules();

afterAll(() => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before);
});
