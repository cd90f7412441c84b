/** The start of a booking: one of the free times, or any time with the reasons against it. */
import { Button, defaultOptionsFilter, Group, Loader, Select, Stack, Switch, Text } from '@mantine/core';
import { DateField } from '../../components/date-field.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import type { ApiForm } from '../../components/use-api-form.ts';
import { ZoneNote } from '../../components/zone-note.tsx';
import { readTime } from '../../format/time-of-day.ts';
import { useTimes } from '../../format/times.ts';
import { instantAt, timeLabel, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import type { FreeStarts } from './free-starts.ts';
import { TimeNotice } from './time-notice.tsx';
import type { WhyNot } from './why-not.ts';

const texts = strings.calendar;

/** The local time of the business: `2026-11-24`, and `14:30` as typed or as the label of a free start. */
interface StartValues {
  readonly day: string;
  readonly time: string;
  /** Whether times that are not free can be chosen. */
  readonly anyTime: boolean;
}

export function startValues(instant: string, zone: string): Pick<StartValues, 'day' | 'time'> {
  return { day: wallClock(instant, zone).slice(0, 10), time: timeLabel(instant, zone) };
}

/** Returns the chosen instant, if there is one. */
export function startOf({ day, time, anyTime }: StartValues, { starts }: FreeStarts, zone: string): string | undefined {
  if (!anyTime) return starts.get(time);
  return day ? instantAt(day, time, zone) : undefined;
}

/** Returns the reason why there is no instant. */
export function startProblem({ day, time, anyTime }: StartValues): string {
  if (!anyTime) return texts.chooseStart;
  return day && readTime(time) ? texts.skippedTime : texts.enterTime;
}

interface StartFieldsProps<Values extends StartValues> {
  readonly api: ApiForm<Values>;
  readonly free: FreeStarts;
  readonly why: WhyNot | undefined;
}

export function StartFields<Values extends StartValues>({ api, free, why }: StartFieldsProps<Values>) {
  const { form, error, submitted } = api;
  const { zone, when } = useTimes();
  const { starts, next, isLoading } = free;
  const { day, time, anyTime } = form.values;
  // The undecided booking itself may have taken the chosen time.
  const kept = error?.isUndecided && !starts.has(time) ? [time] : [];
  const times = [...kept, ...starts.keys()];
  // The refusal is of the time that was submitted.
  const isRefused = error?.code === 'slot_unavailable' && submitted.day === day && submitted.time === time;
  const choose = (instant: string) => form.setValues(startValues(instant, zone) as Partial<Values>);
  return (
    <Stack gap="xs">
      <Group grow align="flex-start">
        <DateField label={texts.day} required {...form.getInputProps('day')} />
        {anyTime ? (
          <TimeInput label={texts.start} required {...form.getInputProps('time')} />
        ) : (
          <Select
            label={texts.start}
            placeholder={starts.size > 0 ? texts.choose : texts.noStart}
            data={times}
            rightSection={isLoading ? <Loader size={14} /> : undefined}
            allowDeselect={false}
            searchable
            // A day has at most 288 starts. Their list is read from top to bottom.
            filter={defaultOptionsFilter}
            required
            {...form.getInputProps('time')}
            value={times.includes(time) ? time : null}
          />
        )}
      </Group>
      <Switch
        label={texts.anyTime}
        {...form.getInputProps('anyTime', { type: 'checkbox' })}
        // Another field for the start is shown, to which the error does not apply.
        onClick={() => form.clearFieldError('time')}
      />
      <ZoneNote />
      <ErrorNotice error={free.error} />
      {next && !anyTime && (
        <Group gap="xs" role="status">
          <Text size="sm">{texts.fullDay}</Text>
          <Button size="xs" variant="default" onClick={() => choose(next)}>
            {when(next)}
          </Button>
        </Group>
      )}
      <TimeNotice why={why} refused={isRefused ? error : undefined} choose={choose} />
    </Stack>
  );
}
