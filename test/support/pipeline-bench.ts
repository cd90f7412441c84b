/** One engine for the tests of a file, and a pipeline for each of them. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { dynamo } from '../../core/clients.ts';
import { connectFunctions, createTables, type Engine, startDynamo } from './dynamo.ts';
import { Pipeline, type PipelineOptions } from './pipeline.ts';

/** Returns the function that begins a test's pipeline; it ends with the test. */
export function usePipeline(): (options?: PipelineOptions) => Pipeline {
  let engine: Engine | undefined;
  let pipeline: Pipeline | undefined;

  beforeAll(async () => {
    engine = await startDynamo();
    await createTables(engine.endpoint);
    connectFunctions(engine.endpoint);
  });
  afterEach(() => {
    pipeline?.end();
    pipeline = undefined;
  });
  afterAll(async () => {
    dynamo().destroy();
    await engine?.stop();
  });

  return (options = {}) => {
    pipeline?.end();
    pipeline = new Pipeline(options);
    return pipeline;
  };
}
