/** Tables for the tests of a file, and a pipeline for each of its tests. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { dynamo } from '../../core/clients.ts';
import { Pipeline, type PipelineOptions } from './pipeline.ts';
import { openTables, type Tables } from './tables.ts';

/** Returns the function that starts a test's pipeline, which ends with the test. */
export function usePipeline(open = openTables): (options?: PipelineOptions) => Pipeline {
  let tables: Tables | undefined;
  let pipeline: Pipeline | undefined;

  beforeAll(async () => {
    tables = await open();
  });
  afterEach(() => {
    pipeline?.end();
    pipeline = undefined;
  });
  afterAll(async () => {
    dynamo().destroy();
    await tables?.stop();
  });

  return (options = {}) => {
    pipeline?.end();
    pipeline = new Pipeline(options);
    return pipeline;
  };
}
