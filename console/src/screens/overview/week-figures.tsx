/** The week in figures, and its bookings day by day. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { Loading } from '../../components/loading.tsx';
import { Plot } from '../../components/plot.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { money } from '../../format/money.ts';
import { count, percent } from '../../format/numbers.ts';
import { shortDay } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { weekOf } from './queries.ts';

const texts = strings.overview;

/** Shows the week that contains this calendar day. */
export function WeekFigures({ today }: { readonly today: string }) {
  const statistics = useApi('getStatistics', weekOf(today));
  return (
    <QueryState query={statistics} loading={<Loading lines={6} />}>
      {(found) => <Figures statistics={found} />}
    </QueryState>
  );
}

type Bookings = Answer<'getStatistics'>['summary']['bookings'];

const held = ({ cancelled: _, ...others }: Bookings) => Object.values(others).reduce((sum, one) => sum + one, 0);
const hours = (minutes: number) => count(Math.round(minutes / 60));

function Figures({ statistics: { data, summary } }: { readonly statistics: Answer<'getStatistics'> }) {
  const { bookings, occupancy, revenue } = summary;
  const { bookedMinutes, workingMinutes } = occupancy;
  const figures = [
    [strings.screens.bookings, count(held(bookings)), texts.bookingsHint(count(bookings.cancelled))],
    [
      texts.occupancy,
      workingMinutes > 0 ? percent(bookedMinutes / workingMinutes) : '–',
      texts.occupancyHint(hours(bookedMinutes), hours(workingMinutes)),
    ],
    [
      strings.screens.payments,
      money(revenue.received),
      revenue.refunded.amount > 0 ? texts.refunded(money(revenue.refunded)) : texts.noRefunds,
    ],
  ] as const;
  const days = data.map(({ date, bookings: ofDay }) => ({ at: shortDay(date), bookings: held(ofDay) }));
  const busiest = days.toSorted((a, b) => b.bookings - a.bookings)[0];
  // Without bookings there is no plot, and the figures use its space.
  const isEmpty = held(bookings) === 0;
  return (
    <SimpleGrid cols={{ base: 1, md: isEmpty ? 1 : 2 }} spacing="lg" component="section" aria-label={texts.week}>
      <SimpleGrid cols={{ base: 1, xs: 3, md: isEmpty ? 3 : 1 }} spacing="lg">
        {figures.map(([label, value, hint]) => (
          <Paper key={label} p="md">
            <DimmedText>{`${label}, ${texts.week.toLowerCase()}`}</DimmedText>
            <Text fz="1.75rem" fw={650} lh={1.25} className="figures">
              {value}
            </Text>
            <DimmedText size="xs">{hint}</DimmedText>
          </Paper>
        ))}
      </SimpleGrid>
      <Paper>
        <Plot
          title={texts.perDay}
          summary={
            busiest && busiest.bookings > 0 ? texts.perDaySummary(count(held(bookings)), busiest.at) : texts.perDayNone
          }
          data={days}
          series={[{ name: 'bookings', label: strings.screens.bookings, color: 'teal.6' }]}
          height={250}
        />
      </Paper>
    </SimpleGrid>
  );
}
