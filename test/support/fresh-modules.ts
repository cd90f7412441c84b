/**
 * Before each test file: the project's modules are loaded again; after it, the environment is what it was. Files of one
 * worker share packages alone, whose start each of them would pay for otherwise. So tests mock clients that
 * `core/clients.ts` made, and not the classes of a package.
 */
import { afterAll, vi } from 'vitest';

const before = { ...process.env };
vi.resetModules();

afterAll(() => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before);
});
