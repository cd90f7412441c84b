/**
 * Metrics by physical name. A name is plain text, so that watching a function or a queue creates no dependency between
 * its stack and the stack of the alarms.
 */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../contract/system/metrics.ts';

export const fiveMinutes = Duration.minutes(5);

/** Metrics of log lines in the namespace of the stage: `lib/constructs/counted-lines.ts`. */
export type LineMetric = 'ServerErrors' | 'SlowAnswers' | 'CanaryErrors';

function of(
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic: string,
  label = Object.values(dimensionsMap)[0] ?? metricName,
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic, label, period: fiveMinutes });
}

type FunctionMetric = 'Errors' | 'Invocations' | 'Throttles' | 'Duration';

/** A metric of one function, or without a name of all functions in account and region. */
export function lambdaMetric(name: FunctionMetric, functionName?: string): Metric {
  return of('AWS/Lambda', name, functionName ? { FunctionName: functionName } : {}, Stats.SUM, functionName ?? name);
}

/** Running and reserved executions, which count against the account's limit. */
export function concurrencyMetric(): Metric {
  return of('AWS/Lambda', 'ClaimedAccountConcurrency', {}, Stats.MAXIMUM, 'Concurrent functions');
}

type QueueMetric = 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage' | 'NumberOfMessagesSent';

export function queueMetric(name: QueueMetric, queueName: string, statistic: string = Stats.MAXIMUM): Metric {
  return of('AWS/SQS', name, { QueueName: queueName }, statistic);
}

/** The label is the statistic unless that is the sum, because a graph may show several statistics. */
export function apiMetric(
  name: 'Count' | '4xx' | '5xx' | 'Latency',
  apiId: string,
  statistic: string = Stats.SUM,
): Metric {
  return of('AWS/ApiGateway', name, { ApiId: apiId }, statistic, nameOf(name, statistic));
}

/** Crashes of the version behind a function's alias, while the alias moves to that version. */
export function versionErrors(functionName: string, alias: string, version: string): Metric {
  const dimensions = { FunctionName: functionName, Resource: `${functionName}:${alias}`, ExecutedVersion: version };
  return of('AWS/Lambda', 'Errors', dimensions, Stats.SUM);
}

type TableMetric =
  | 'ReadThrottleEvents'
  | 'WriteThrottleEvents'
  | 'ConsumedReadCapacityUnits'
  | 'ConsumedWriteCapacityUnits';

/** A metric of a table, or of one of its indexes, which is throttled separately. */
export function tableMetric(name: TableMetric, tableName: string, label: string, index?: string): Metric {
  const dimensions = { TableName: tableName, ...(index !== undefined && { GlobalSecondaryIndexName: index }) };
  return of('AWS/DynamoDB', name, dimensions, Stats.SUM, label);
}

/** The replication latency to the other region in milliseconds. */
export function replicaMetric(tableName: string, region: string): Metric {
  const dimensions = { TableName: tableName, ReceivingRegion: region };
  return of('AWS/DynamoDB', 'ReplicationLatency', dimensions, Stats.MAXIMUM, region);
}

export function ruleMetric(name: 'FailedInvocations', bus: string, rule: string): Metric {
  return of('AWS/Events', name, { EventBusName: bus, RuleName: rule }, Stats.SUM);
}

/**
 * A metric of all distributions of the account: to name its own, the dashboard would depend on the edge stack.
 * Distributions are global, and CloudWatch has their metrics in us-east-1, for graphs of any region.
 */
export function edgeMetric(name: 'Requests' | '4xxErrorRate' | '5xxErrorRate'): MathExpression {
  const statistic = name === 'Requests' ? 'Sum' : 'Average';
  return new MathExpression({
    expression: `SEARCH('{AWS/CloudFront,DistributionId,Region} MetricName="${name}"', '${statistic}', 300)`,
    searchRegion: 'us-east-1',
    label: name,
    period: fiveMinutes,
  });
}

/** A row of `contract/system/metrics.ts` or a metric of log lines, with a label like that of an API. */
export function ownMetric(namespace: string, name: MetricName | LineMetric, statistic: string = Stats.SUM): Metric {
  return of(namespace, name, {}, statistic, nameOf(name, statistic));
}

function nameOf(name: string, statistic: string): string {
  return statistic === Stats.SUM ? name : statistic;
}

/** A formula over metrics, which it names `m0`, `m1` and so on. Two formulas in one graph need different letters. */
export function formula(
  metrics: readonly Metric[],
  expression: (names: readonly string[]) => string,
  label: string,
  letter = 'm',
  period = fiveMinutes,
): MathExpression {
  const names = metrics.map((_, i) => `${letter}${i}`);
  return new MathExpression({
    expression: expression(names),
    usingMetrics: Object.fromEntries(metrics.map((metric, i) => [`${letter}${i}`, metric])),
    period,
    label,
  });
}

/**
 * The sum as a formula. An idle function and an empty queue send no metrics: `SUM` of a list ignores missing data, for
 * which `m0 + m1` would be missing.
 */
export function sum(names: readonly string[]): string {
  return `SUM([${names.join(', ')}])`;
}

export function sumOf(metrics: readonly Metric[], label: string): MathExpression {
  return formula(metrics, sum, label);
}
