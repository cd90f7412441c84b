/** The benchmarks still run, with sizes too small to measure, and their results are evaluated. */
import { describe, expect, test } from 'vitest';
import { benches, runInProcess } from '../../bench/benches.ts';
import { verdictOf, withSections } from '../../bench/results.ts';
import type { Row } from '../../bench/row.ts';
import { command } from '../support/command.ts';

/** `start` starts and edits as `test/bin/watch.test.ts` does. */
const tried = Object.keys(benches).filter((name) => name !== 'start');

// Each benchmark compares the results with those of its baselines before it measures, and fails if they differ.
test.each(tried)(
  'The benchmark `%s` runs, and all implementations that it compares give the same results',
  async (name) => {
    const rows = await runInProcess(name, 'tiny');
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      expect(row.name).not.toBe('');
      expect(Number.isFinite(row.value), row.name).toBe(true);
    }
    expect(rows.some(({ goal }) => goal)).toBe(true);
  },
);

describe('npm run bench', () => {
  test('`npm run bench -- --help` lists every benchmark and runs none', async () => {
    const { code, stdout } = await command('bench/run.ts', ['--help']).ended;
    expect(code).toBe(0);
    for (const name of Object.keys(benches)) expect(stdout).toContain(name);
    expect(stdout).toContain('--print');
  });

  test('`npm run bench` refuses the name of a benchmark that does not exist with a one-sentence error', async () => {
    const { code, stdout, stderr } = await command('bench/run.ts', ['nothing-such']).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^.*nothing-such.*See --help\.\n$/);
  });
});

describe('bench/results.md', () => {
  const row = (value: number, met?: boolean): Row => ({
    name: 'measure',
    value,
    unit: 'ms',
    ...(met !== undefined && { goal: '≤ 1', met }),
  });
  const section = (name: string, value: number) => ({ name, title: 'Title', facts: 'Facts.', rows: [row(value)] });
  const order = ['first', 'second-one', 'third'];

  test('A benchmark run updates only its own sections of bench/results.md and keeps the order of all sections', () => {
    const before = withSections('', [section('third', 3), section('first', 1)], order);
    const after = withSections(before, [section('second-one', 2), section('first', 9)], order);
    expect(after).toBe(withSections('', [section('first', 9), section('second-one', 2), section('third', 3)], order));
    expect(after.match(/^## .*/gm)).toEqual(['## first: Title', '## second-one: Title', '## third: Title']);
    expect(after).not.toContain('1.00 ms');
  });

  test('A benchmark run reports how many of its performance goals it has reached', () => {
    expect(verdictOf([row(1), row(1, true), row(2, false)])).toBe('1 of 2 goals reached');
  });
});
