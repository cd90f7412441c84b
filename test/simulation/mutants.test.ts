/** Mutants of the delivery code that once survived all other tests. The simulation kills each within 1 000 events. */
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { type Mutant, type MutantName, mutants } from './mutants.ts';

const names = Object.keys(mutants) as MutantName[];

test.each(names.map((name) => [mutants[name].bug, name] as const))(
  'The simulation finds the injected bug “%s” and prints how to repeat the run',
  async (_, name) => {
    const { preset = 'crowded' }: Mutant = mutants[name];
    const args = ['--preset', preset, '--events', '1000', '--seed', '1', '--bug', name];
    const { code, stdout } = await command('bin/prove/simulate.ts', args).ended;
    expect(stdout).toMatch(/VIOLATION /);
    expect(stdout).toContain(`Repeat the run with: npm run prove -- simulate ${args.join(' ')}`);
    expect(code).toBe(1);
  },
);
