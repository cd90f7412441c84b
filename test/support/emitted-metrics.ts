/** Collects what functions emit in embedded metric format. */
import { onTestFinished, vi } from 'vitest';
import { log } from '../../core/log.ts';

export interface EmittedMetric {
  readonly by: string | undefined;
  readonly name: string;
  readonly unit: string;
  /** The time in epoch milliseconds. */
  readonly at: number;
  readonly values: readonly number[];
  /** The other fields of the line. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Line extends Record<string, unknown> {
  readonly _aws?: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly { readonly Metrics: readonly { Name: string; Unit: string }[] }[];
  };
}

/** The metrics that CloudWatch extracts from a line; none if the line is not in the format. */
export function metricsOf({ _aws, ...fields }: Line, by?: string): EmittedMetric[] {
  if (!_aws) return [];
  const declared = _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics);
  const names = declared.map(({ Name }) => Name);
  const properties = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  return declared.map(({ Name, Unit }) => {
    const values = [fields[Name]].flat().map(Number);
    if (values.length === 0 || values.length > 100 || !values.every(Number.isFinite)) {
      throw new Error(`CloudWatch takes 1 to 100 numbers of ${Name}, not ${JSON.stringify(fields[Name])}`);
    }
    return { by, name: Name, unit: Unit, at: _aws.Timestamp, values, properties };
  });
}

/**
 * Collects metrics until the test ends, also from lines below the log level. `runningFunction` returns the running function;
 * lines outside of one would be lost, because a container is frozen after its response.
 */
export function collectMetrics(runningFunction: () => string | undefined): EmittedMetric[] {
  const emitted: EmittedMetric[] = [];
  const spy = vi.spyOn(log, 'info').mockImplementation((...[, extra]) => {
    emitted.push(...metricsOf(Object(extra), runningFunction()));
  });
  onTestFinished(() => spy.mockRestore());
  return emitted;
}
