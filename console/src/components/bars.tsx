/** A bar chart over time, drawn by the chart library. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { count } from '../format/numbers.ts';

export interface BarsProps {
  /** One object for each bar: its label in the field `at`, and its counts. */
  readonly data: readonly Readonly<Record<string, string | number>>[];
  readonly series: readonly { readonly name: string; readonly label: string; readonly color: string }[];
  /** The height in pixels. Default: 180. */
  readonly height?: number;
}

export function Bars({ data, series, height = 180 }: BarsProps) {
  return (
    <BarChart
      h={height}
      data={[...data]}
      dataKey="at"
      series={[...series]}
      type="stacked"
      gridAxis="x"
      tickLine="none"
      maxBarWidth={28}
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'bottom' }}
      valueFormatter={count}
      xAxisProps={{ minTickGap: 24, interval: 'preserveStartEnd' }}
      yAxisProps={{ width: 44, allowDecimals: false, interval: 0 }}
      // The plot has its own text description.
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }}
      barProps={{ radius: 2, isAnimationActive: false }}
    />
  );
}
