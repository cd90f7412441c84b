/**
 * Metrics by physical name. A name is text that every stack knows, so watching a function or a queue does not tie its
 * stack to the one that watches.
 */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../contract/system/metrics.ts';

export const fiveMinutes = Duration.minutes(5);

/** What lines of a log are counted as, in the namespace of the stage: `lib/constructs/counted-lines.ts`. */
export type LineMetric = 'ServerErrors' | 'CanaryErrors';

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

/** Of one function, or of all functions of account and region when no name is given. */
export function lambdaMetric(name: FunctionMetric, functionName?: string): Metric {
  return of('AWS/Lambda', name, functionName ? { FunctionName: functionName } : {}, Stats.SUM, functionName ?? name);
}

/** What runs and what is reserved, of all that the account may run at once. */
export function concurrencyMetric(): Metric {
  return of('AWS/Lambda', 'ClaimedAccountConcurrency', {}, Stats.MAXIMUM, 'Functions at once');
}

type QueueMetric = 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage' | 'NumberOfMessagesSent';

export function queueMetric(name: QueueMetric, queueName: string, statistic: string = Stats.MAXIMUM): Metric {
  return of('AWS/SQS', name, { QueueName: queueName }, statistic);
}

/** Called after its statistic, when it is not the sum: a graph may show several of one. */
export function apiMetric(
  name: 'Count' | '4xx' | '5xx' | 'Latency',
  apiId: string,
  statistic: string = Stats.SUM,
): Metric {
  return of('AWS/ApiGateway', name, { ApiId: apiId }, statistic, nameOf(name, statistic));
}

/** A crash of the version behind a function's alias, while the alias moves to that version. */
export function versionErrors(functionName: string, alias: string, version: string): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap: { FunctionName: functionName, Resource: `${functionName}:${alias}`, ExecutedVersion: version },
    statistic: Stats.SUM,
    label: functionName,
    period: Duration.minutes(1),
  });
}

type TableMetric =
  | 'ReadThrottleEvents'
  | 'WriteThrottleEvents'
  | 'ConsumedReadCapacityUnits'
  | 'ConsumedWriteCapacityUnits';

/** Of a table, or of one of its indexes, which throttles by itself. */
export function tableMetric(name: TableMetric, tableName: string, label: string, index?: string): Metric {
  const dimensions = { TableName: tableName, ...(index !== undefined && { GlobalSecondaryIndexName: index }) };
  return of('AWS/DynamoDB', name, dimensions, Stats.SUM, label);
}

/** Milliseconds until what is written here is in the other region. */
export function replicaMetric(tableName: string, region: string): Metric {
  const dimensions = { TableName: tableName, ReceivingRegion: region };
  return of('AWS/DynamoDB', 'ReplicationLatency', dimensions, Stats.MAXIMUM, region);
}

export function ruleMetric(name: 'FailedInvocations' | 'MatchedEvents', bus: string, rule: string): Metric {
  return of('AWS/Events', name, { EventBusName: bus, RuleName: rule }, Stats.SUM);
}

/**
 * Of every distribution of the account: to name its own, the dashboard would have to wait for the edge. Distributions belong to
 * no region, and CloudWatch has their metrics in us-east-1, for graphs of any region.
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

/** A row of `contract/system/metrics.ts`, called like that of an API. */
export function ownMetric(namespace: string, name: MetricName, statistic: string = Stats.SUM): Metric {
  return of(namespace, name, {}, statistic, nameOf(name, statistic));
}

/** What `counted-lines.ts` counts. */
export function lineMetric(namespace: string, name: LineMetric): Metric {
  return of(namespace, name, {}, Stats.SUM);
}

function nameOf(name: string, statistic: string): string {
  return statistic === Stats.SUM ? name : statistic;
}

/** A formula over metrics, which it calls `m0`, `m1` and so on. Two formulas of one graph take another letter each. */
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
 * The sum as a formula. An idle function and an empty queue send no metrics: `SUM` of a list passes over what is
 * missing, where `m0 + m1` would be missing itself.
 */
export function sum(names: readonly string[]): string {
  return `SUM([${names.join(', ')}])`;
}

export function sumOf(metrics: readonly Metric[], label: string): MathExpression {
  return formula(metrics, sum, label);
}
