/**
 * The order of the test files in a clone without an earlier run: the slowest begin first, so that all workers end at
 * about the same time. After the first run vitest uses the measured times.
 */
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than ten seconds on an idle machine, slowest first. The others are ordered by size. */
export const longest = [
  'test/journeys/one-run.test.ts',
  'test/browser/console.test.ts',
  'test/browser/console-settings.test.ts',
  'test/bench/bench.test.ts',
  'test/simulation/simulation.test.ts',
  'test/browser/visitors.test.ts',
  'test/browser/reference.test.ts',
  'test/journeys/fuzz.test.ts',
  'test/journeys/crash.test.ts',
  'test/lib/nag.test.ts',
  'test/core/bookings/races-on-amazons.test.ts',
  'test/bin/drill.test.ts',
  'test/core/bookings/races.test.ts',
  'test/simulation/sending-budget.test.ts',
  'test/docs/runbooks/runbooks.test.ts',
  'test/bin/watch.test.ts',
  'test/simulation/regions.test.ts',
  'test/simulation/isolation.test.ts',
  'test/core/deliveries/log/sweep-bounds.test.ts',
  'test/simulation/outage.test.ts',
  'test/docs/runbooks/destroy-and-deploy.test.ts',
  'test/simulation/mutants.test.ts',
  'test/core/availability/oracle.test.ts',
  'test/core/clients.test.ts',
  'test/journeys/faults.test.ts',
  'test/core/deliveries/attempt/reserve.test.ts',
  'test/bin/conformance.test.ts',
] as const;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    if (files.every((file) => this.ctx.cache.getTestSpecificationResult(file))) return sorted;
    const nth = ({ project, moduleId }: TestSpecification) => {
      const at = (longest as readonly string[]).indexOf(relative(project.config.root, moduleId).replaceAll(sep, '/'));
      return at === -1 ? longest.length : at;
    };
    return sorted.sort((one, other) => nth(one) - nth(other));
  }
}
