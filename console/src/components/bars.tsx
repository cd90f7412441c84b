/** Bars over time, as the chart library draws them. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';

export interface BarsProps {
  /** One object for each bar. */
  readonly data: readonly Readonly<Record<string, string | number | null>>[];
  /** Field of the data that labels the bar. */
  readonly along: string;
  readonly series: readonly { readonly name: string; readonly label: string; readonly color: string }[];
  /** Formats a value. */
  readonly format?: (value: number) => string;
  /** Pixels. Default: 180. */
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
      // The plot says itself in words what it shows.
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }}
      barProps={{ radius: 2, isAnimationActive: false }}
    />
  );
}
