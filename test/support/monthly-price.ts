/**
 * The fixed monthly cost of a stage, computed from its templates at the prices of us-east-1 as of November 2026,
 * without free tiers.
 */
import { metrics } from '../../contract/system/metrics.ts';

const monthly = { alarmMetric: 0.1, compositeAlarm: 0.5, dashboard: 3, key: 1, customMetric: 0.3 } as const;

/** A resource in the form of a template. */
interface PricedResource {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function monthlyPrice(resources: readonly PricedResource[]) {
  const of = (type: string) => resources.filter((resource) => resource.type === type);
  const alarms = of('AWS::CloudWatch::Alarm');
  const alarmMetrics = alarms.map(metricsOf).reduce((all, some) => all + some, 0);
  const composite = of('AWS::CloudWatch::CompositeAlarm').length;
  const counted = of('AWS::Logs::MetricFilter').flatMap(({ properties: { MetricTransformations } }) =>
    Array.isArray(MetricTransformations) ? MetricTransformations.map(({ MetricName }) => MetricName) : [],
  );
  const customMetrics = alarms.length > 0 ? Object.keys(metrics).length + new Set(counted).size : 0;
  return {
    alarms: alarms.length + composite,
    /** The number of metrics that alarms read, each of which CloudWatch charges for. */
    alarmMetrics,
    customMetrics,
    alarmsDollars: cents(alarmMetrics * monthly.alarmMetric + composite * monthly.compositeAlarm),
    customMetricsDollars: cents(customMetrics * monthly.customMetric),
    dashboardsDollars: of('AWS::CloudWatch::Dashboard').length * monthly.dashboard,
    keysDollars: of('AWS::KMS::Key').length * monthly.key,
  };
}

function metricsOf({ properties: { Metrics } }: PricedResource): number {
  if (!Array.isArray(Metrics)) throw new Error('An alarm has no list of metrics.');
  return Metrics.filter((entry) => entry.MetricStat !== undefined).length;
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
