/**
 * Emits the metrics of `contract/system/metrics.ts` as log lines in CloudWatch's embedded metric format, so without a
 * call to AWS.
 */
import type { MetricName, MetricRow, metrics } from '../contract/system/metrics.ts';
import { now } from './clock.ts';
import { env } from './env.ts';
import { log } from './log.ts';

/** CloudWatch takes at most this many values of one metric in a line. */
export const valuesPerLine = 100;

/** By unit and name. Only the types refer to the table, because its descriptions would make every bundle larger. */
export type Measured = {
  readonly [U in MetricRow['unit']]?: {
    readonly [N in MetricName as (typeof metrics)[N]['unit'] extends U ? N : never]?: number | readonly number[];
  };
};

/**
 * Call it once for a batch or a run. Ids belong into `properties`: they can be searched for, and cost no metric of their own.
 * With nothing measured, the line is one of properties alone.
 *
 * @example
 * emit({ Count: { DeliveriesOverdue: 3 } });
 */
export function emit(measured: Measured, properties: object = {}): void {
  const units = Object.entries(measured);
  const _aws = {
    Timestamp: now(),
    CloudWatchMetrics: [
      {
        Namespace: env.metricsNamespace(),
        Dimensions: [[]],
        Metrics: units.flatMap(([Unit, values]) => Object.keys(values).map((Name) => ({ Name, Unit }))),
      },
    ],
  };
  const values = Object.assign({}, ...Object.values(measured));
  log.info('Metrics', { ...properties, ...values, ...(units.length > 0 && { _aws }) });
}
