/** The day of a booking, and the free times on it. */
import { Button, Group, Loader, Select, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DateField } from '../../components/date-field.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { ApiForm } from '../../components/use-api-form.ts';
import { useTimes } from '../../format/times.ts';
import { wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import type { FreeStarts } from './free-starts.ts';
import { Taken } from './taken.tsx';

const texts = strings.calendar;

/** Local time of the business: `2026-11-24` and `14:30`. */
export interface StartValues {
  readonly day: string;
  readonly time: string;
}

export function startValues(instant: string, zone: string): StartValues {
  const wall = wallClock(instant, zone);
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
}

export interface StartFieldsProps<Values extends StartValues> {
  readonly api: ApiForm<Values>;
  readonly free: FreeStarts;
  /** Why the time was refused. */
  readonly why: ReactNode;
}

export function StartFields<Values extends StartValues>({ api: { form, error }, free, why }: StartFieldsProps<Values>) {
  const times = useTimes();
  const { starts, next, isLoading } = free;
  const choose = (instant: string) => form.setValues(startValues(instant, times.zone) as Partial<Values>);
  return (
    <Stack gap="xs">
      <Group grow align="flex-start">
        <DateField label={texts.day} required {...form.getInputProps('day')} />
        <Select
          label={texts.start}
          placeholder={starts.size > 0 ? texts.chooseStart : texts.noStart}
          data={[...starts.keys()]}
          rightSection={isLoading ? <Loader size={14} /> : undefined}
          allowDeselect={false}
          searchable
          required
          {...form.getInputProps('time')}
          value={starts.has(form.values.time) ? form.values.time : null}
        />
      </Group>
      <Text size="xs" c="dimmed">
        {strings.app.inZone(times.zone)}
      </Text>
      <ErrorNotice error={free.error} />
      {next && (
        <Group gap="xs" role="status">
          <Text size="sm">{texts.fullDay}</Text>
          <Button size="xs" variant="default" onClick={() => choose(next)}>
            {`${times.date(next)}, ${times.time(next)}`}
          </Button>
        </Group>
      )}
      {error?.code === 'slot_unavailable' && <Taken error={error} why={why} choose={choose} />}
    </Stack>
  );
}
