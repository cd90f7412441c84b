/** Evaluates an alarm of a template on recorded metrics as CloudWatch does. */
import { evaluateExpression } from './metric-math.ts';
import { type Assembly, inside, type Json, type Resource } from './synthesised.ts';

/** The values of a metric, such as `Errors of booking-dev-relay-events`, in a period. Periods count from 0. */
export type Recorded = (metric: string, period: number) => readonly number[];

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: Json }[];
}

interface Stat {
  readonly Metric: Metric;
  readonly Period: number;
  readonly Stat: string;
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: Stat;
  readonly ReturnData: boolean;
}

export const periodSeconds = 300;

const statistics: Readonly<Record<string, (values: readonly number[]) => number>> = {
  SampleCount: (values) => values.length,
  'PR(:5000)': (values) => (100 * values.filter((value) => value <= 5_000).length) / values.length,
  Sum: (values) => values.reduce((all, one) => all + one, 0),
  Maximum: (values) => Math.max(...values),
};

function known<T>(value: T | undefined, what: unknown): T {
  if (value === undefined) throw new Error(`Not known to this evaluation: ${JSON.stringify(what)}`);
  return value;
}

export function metricsOf(alarm: Resource): readonly Metric[] {
  return inside<readonly Query[]>(alarm, 'Metrics').flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
}

/** The name of a metric: `MetricName of dimensions`, or `MetricName` alone. */
export function nameOf(assembly: Assembly, { MetricName, Dimensions = [] }: Metric): string {
  const values = Dimensions.map(({ Value }) => assembly.text('Observability', Value));
  return values.length > 0 ? `${MetricName} of ${values.join()}` : MetricName;
}

/** Whether the alarm is in state ALARM at the end of any of the periods. */
export function rings(assembly: Assembly, alarm: Resource, recorded: Recorded, periods: number): boolean {
  const { ComparisonOperator, EvaluationPeriods, DatapointsToAlarm, Threshold, TreatMissingData } = alarm.properties;
  known(ComparisonOperator === 'GreaterThanOrEqualToThreshold' || undefined, ComparisonOperator);
  known(DatapointsToAlarm === undefined || undefined, DatapointsToAlarm);
  const queries = inside<readonly Query[]>(alarm, 'Metrics');
  const result = known(
    queries.find(({ ReturnData }) => ReturnData),
    queries,
  );

  const valueIn = (id: string, period: number): number | undefined => {
    const { MetricStat, Expression } = known(
      queries.find(({ Id }) => Id === id),
      id,
    );
    if (Expression !== undefined) return evaluateExpression(Expression, (name) => valueIn(name, period));
    const { Metric, Period, Stat } = known(MetricStat, queries);
    // A period of hours ends with the evaluated period.
    const first = Math.max(0, period + 1 - Period / periodSeconds);
    known(Number.isInteger(Period / periodSeconds) || undefined, Period);
    const values = Array.from({ length: period + 1 - first }, (_, i) =>
      recorded(nameOf(assembly, Metric), first + i),
    ).flat();
    return values.length > 0 ? known(statistics[Stat], Stat)(values) : undefined;
  };
  const breaches = Array.from({ length: periods }, (_, period) => {
    const value = valueIn(result.Id, period);
    return value === undefined ? TreatMissingData === 'breaching' : value >= Number(Threshold);
  });
  const inRow = Number(EvaluationPeriods);
  return breaches.some((_, end) => end + 1 >= inRow && breaches.slice(end + 1 - inRow, end + 1).every(Boolean));
}
