/** Attempts over time: successes, response times, and reasons for failures. */
import { Badge, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { periods } from '../../app/search.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { Plot } from '../../components/plot.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { useNow } from '../../format/clock.ts';
import { count, percent } from '../../format/numbers.ts';
import { milliseconds, type Times, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.webhooks;
const hourMs = 3_600_000;

type Statistics = Answer<'getWebhookStatistics'>;

export function Health({ id }: { readonly id: number }) {
  const [{ days = 7 }, set] = useScreenSearch('/webhooks/$id');
  // The start is rounded to the hour, so that the query is the same for an hour.
  const from = new Date((Math.floor(useNow() / hourMs) - days * 24 + 1) * hourMs).toISOString();
  const statistics = useApi('getWebhookStatistics', { id, from }, { keepPrevious: true });
  return (
    <Paper component="section" aria-label={strings.deliveries.attempts}>
      <Stack>
        <SegmentedControl
          aria-label={strings.deliveries.attempts}
          w="fit-content"
          maw="100%"
          size="xs"
          value={String(days)}
          data={periods.map((value) => ({ value: String(value), label: texts.periods[value] }))}
          onChange={(value) => set({ days: periods.find((one) => String(one) === value) })}
        />
        <QueryState query={statistics}>{(found) => <Shown statistics={found} from={from} days={days} />}</QueryState>
      </Stack>
    </Paper>
  );
}

interface ShownProps {
  readonly statistics: Statistics;
  readonly from: string;
  readonly days: number;
}

function Shown({ statistics: { data, summary }, from, days }: ShownProps) {
  const times = useTimes();
  const { attempts, successes, failuresByCode, medianResponseTimeMs, p95ResponseTimeMs } = summary;
  const facts = [
    [texts.median, medianResponseTimeMs],
    [texts.p95, p95ResponseTimeMs],
  ] as const;
  return (
    <Stack>
      <Plot
        title={strings.deliveries.attempts}
        summary={
          attempts === 0 ? texts.healthNone : texts.healthSummary(percent(successes / attempts), count(attempts))
        }
        data={inBuckets(data, from, days, times)}
        series={[
          { name: 'successes', label: strings.deliveries.statuses.success, color: 'teal.6' },
          { name: 'failures', label: strings.deliveries.statuses.failed, color: 'red.6' },
          { name: 'skipped', label: texts.skipped, color: 'gray.5' },
        ]}
      />
      <Group gap="xl">
        {facts.map(([label, ms]) => (
          <div key={label}>
            <DimmedText size="xs">{label}</DimmedText>
            <Text fw={650}>{ms === null ? '–' : milliseconds(ms)}</Text>
          </div>
        ))}
        {failuresByCode.length > 0 && (
          <div>
            <DimmedText size="xs" mb={4}>
              {texts.reasons}
            </DimmedText>
            <Group gap={6}>
              {failuresByCode.map(({ errorCode, count: failures }) => (
                <Badge key={errorCode} color="red">
                  {strings.deliveries.errors[errorCode]}: {count(failures)}
                </Badge>
              ))}
            </Group>
          </div>
        )}
      </Group>
    </Stack>
  );
}

/**
 * Groups attempts, including empty groups: one bar per hour for a day, per six hours for a week, per day for a month.
 */
function inBuckets(data: Statistics['data'], from: string, days: number, { dateTime, day }: Times) {
  const size = { 1: 1, 7: 6, 30: 24 }[days] ?? 24;
  const begin = Date.parse(from);
  const buckets = Array.from({ length: (days * 24) / size }, (_, index) => {
    const start = begin + index * size * hourMs;
    const at = days === 30 ? day(start).slice(5) : dateTime(start).replace(/ \d{4},/, ',');
    return { at, successes: 0, failures: 0, skipped: 0 };
  });
  for (const { hour, successes, failures, skipped } of data) {
    const bucket = buckets[Math.floor((Date.parse(hour) - begin) / hourMs / size)];
    if (!bucket) continue;
    bucket.successes += successes;
    bucket.failures += failures;
    bucket.skipped += skipped;
  }
  return buckets;
}
