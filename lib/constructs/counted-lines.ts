/** A metric of the stage that counts the lines of a log that match a pattern. It costs nothing until a line matches. */
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { LineMetric } from '../metrics.ts';
import type { Stage } from '../stage.ts';

interface CountedLinesProps {
  readonly stage: Stage;
  readonly logGroup: ILogGroup;
  readonly name: LineMetric;
  /** A filter pattern in CloudWatch's syntax: `{ $.status = "5*" }`. */
  readonly pattern: string;
}

export class CountedLines extends MetricFilter {
  constructor(scope: Construct, id: string, { stage, logGroup, name, pattern }: CountedLinesProps) {
    super(scope, id, {
      logGroup,
      filterPattern: FilterPattern.literal(pattern),
      metricNamespace: stage.prefix,
      metricName: name,
    });
  }
}
