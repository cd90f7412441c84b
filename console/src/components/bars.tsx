/** A bar chart over time, drawn by the chart library. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';

export interface BarsProps {
  /** One object for each bar. */
  readonly data: readonly Readonly<Record<string, string | number | null>>[];
  /** The field of the data with the label of the bar. */
  readonly along: string;
  readonly series: readonly { readonly name: string; readonly label: string; readonly color: string }[];
  readonly format?: (value: number) => string;
  /** The height in pixels. Default: 180. */
  readonly height?: number;
}

export function Bars({ data, along, series, format, height = 180 }: BarsProps) {
  return (
    <BarChart
      h={height}
      data={[...data]}
      dataKey={along}
      series={[...series]}
      type="stacked"
      gridAxis="x"
      tickLine="none"
      maxBarWidth={28}
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'bottom' }}
      {...(format && { valueFormatter: format })}
      xAxisProps={{ minTickGap: 24, interval: 'preserveStartEnd' }}
      yAxisProps={{ width: 44, allowDecimals: false, interval: 0 }}
      // The plot has its own text description.
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }}
      barProps={{ radius: 2, isAnimationActive: false }}
    />
  );
}
