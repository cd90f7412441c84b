/** Collects what functions emit in embedded metric format. */
import { onTestFinished, vi } from 'vitest';
import { log } from '../../core/log.ts';

/** One metric of one line. */
export interface Said {
  readonly by: string | undefined;
  readonly name: string;
  readonly unit: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly values: readonly number[];
  /** What else the line says. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Line extends Record<string, unknown> {
  readonly _aws?: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly { readonly Metrics: readonly { Name: string; Unit: string }[] }[];
  };
}

/** The metrics of a line, as CloudWatch makes them; none of a line that is not in the format. */
export function metricsOf({ _aws, ...fields }: Line, by?: string): Said[] {
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
 * Fills until the test is over, also with lines that are too quiet to be written. `speaker` says who runs: what is said
 * when nobody does comes too late, for a container that has answered is frozen.
 */
export function hearMetrics(speaker: () => string | undefined): Said[] {
  const heard: Said[] = [];
  const spy = vi.spyOn(log, 'info').mockImplementation((...[, extra]) => {
    heard.push(...metricsOf(Object(extra), speaker()));
  });
  onTestFinished(() => spy.mockRestore());
  return heard;
}
