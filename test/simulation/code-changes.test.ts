/** Slips of the pen in the code of deliveries that no test noticed once: the simulation finds each, within few events. */
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { type CodeChange, type CodeChangeName, codeChanges } from './code-changes.ts';

const names = Object.keys(codeChanges) as CodeChangeName[];

test.each(names)(
  'planted into the code: %s is found, and said how to be seen again',
  async (name) => {
    const { world, events, seed = 1 }: CodeChange = codeChanges[name];
    const asked = ['--world', world, '--events', String(events), '--seed', String(seed), '--bug', name];
    const { code, stdout } = await command('bin/prove/simulate.ts', asked).ended;
    expect(stdout).toMatch(/VIOLATION /);
    expect(stdout).toContain(`Again with: npm run simulate -- ${asked.join(' ')}`);
    expect(code).toBe(1);
  },
  240_000,
);
