/** The busy times of a staff member in other calendars. */
import { Stack, Text } from '@mantine/core';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { errorTitle } from '../../components/error-text.ts';
import { LinedList } from '../../components/lined-list.tsx';
import { notify } from '../../components/notify.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Section } from '../../components/section.tsx';
import { useNow } from '../../format/clock.ts';
import { useAgo, useTimes } from '../../format/times.ts';
import { periodLabel } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.staff;
/** The number of busy times that are shown for each calendar. */
const shown = 10;

export function BusyElsewhere({ staffId }: { readonly staffId: number }) {
  const busy = useApi('listBusyElsewhere', { id: staffId, limit: 100 });
  const undo = useApiMutation('putBusyElsewhere', { onError: (error) => notify(errorTitle(error)) });
  const put = useApiMutation('putBusyElsewhere');
  const { when, date, day, zone } = useTimes();
  const ago = useAgo();
  const now = useNow();
  const period = (start: string, end: string) =>
    day(start) === day(end) ? `${date(start)}, ${periodLabel(start, end, zone)}` : `${when(start)} – ${when(end)}`;
  return (
    <Section title={texts.busy} description={texts.busyText}>
      <ErrorNotice error={put.error} />
      <QueryState query={busy} isEmpty={({ total }) => total === 0} empty={<Text c="dimmed">{texts.noBusy}</Text>}>
        {({ data }) =>
          data.map(({ source, updatedAt, blocks }) => {
            const ahead = blocks.filter(({ endTime }) => Date.parse(endTime) > now);
            const without = (startTime?: string) => () =>
              put.mutate(
                { id: staffId, source, blocks: startTime ? blocks.filter((one) => one.startTime !== startTime) : [] },
                { onSuccess: () => notify(texts.busyRemoved, () => undo.mutate({ id: staffId, source, blocks })) },
              );
            return (
              <Stack key={source} gap="xs">
                <LinedList
                  isPending={put.isPending}
                  lines={[
                    {
                      key: source,
                      title: source,
                      hint: texts.busyUpdated(ago(updatedAt), blocks.length),
                      action: texts.removeBusy(source),
                      remove: without(),
                    },
                    ...ahead
                      .slice(0, shown)
                      .map(({ startTime, endTime }) => ({
                        key: startTime,
                        title: period(startTime, endTime),
                        hint: source,
                        action: texts.removeBusy(period(startTime, endTime)),
                        remove: without(startTime),
                      })),
                  ]}
                />
                {ahead.length > shown && <Text size="sm">{texts.affectedMore(ahead.length - shown)}</Text>}
              </Stack>
            );
          })
        }
      </QueryState>
    </Section>
  );
}
