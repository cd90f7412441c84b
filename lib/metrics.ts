/**
 * Metrics by physical name. A name is text that every stack knows, so watching a function or a queue does not tie its
 * stack to the one that watches.
 */
import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

function lambda(metricName: string, functionName: string, statistic: string, period = fiveMinutes): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionName },
    statistic,
    period,
    label: functionName,
  });
}

function sqs(metricName: string, queueName: string): Metric {
  return new Metric({
    namespace: 'AWS/SQS',
    metricName,
    dimensionsMap: { QueueName: queueName },
    statistic: Stats.MAXIMUM,
    period: minute,
    label: queueName,
  });
}

function api(metricName: string, apiId: string, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiId: apiId },
    statistic,
    period: fiveMinutes,
    label: `${metricName} ${statistic}`,
  });
}

export const functionMetrics = {
  errors: (name: string) => lambda('Errors', name, Stats.SUM),
  throttles: (name: string) => lambda('Throttles', name, Stats.SUM),
  duration: (name: string) => lambda('Duration', name, Stats.p(99)),
  iteratorAgeMs: (name: string) => lambda('IteratorAge', name, Stats.MAXIMUM, minute),
};

export const queueMetrics = {
  visible: (name: string) => sqs('ApproximateNumberOfMessagesVisible', name),
  ageOfOldestSeconds: (name: string) => sqs('ApproximateAgeOfOldestMessage', name),
};

export const apiMetrics = {
  requests: (apiId: string) => api('Count', apiId, Stats.SUM),
  clientErrors: (apiId: string) => api('4xx', apiId, Stats.SUM),
  serverErrors: (apiId: string) => api('5xx', apiId, Stats.SUM),
  latency: (apiId: string) => api('Latency', apiId, Stats.p(99)),
};
