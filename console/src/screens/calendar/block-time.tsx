/** The form that blocks time of a staff member, and lists the bookings in it. The rest of the day is unchanged. */
import { Group, Select, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { useTimeZone } from '../../app/business.tsx';
import { choicesOf, isSearched, type Named } from '../../components/choices.ts';
import { DateField } from '../../components/date-field.tsx';
import { errorTitle } from '../../components/error-text.ts';
import { FormFrame, FormModal } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { isTime } from '../../format/time-of-day.ts';
import { wholeDay } from '../../format/times.ts';
import {
  type DayHours,
  hoursOn,
  type Interval,
  isWithout,
  type Schedule,
  without,
} from '../../format/working-hours.ts';
import { isSkipped } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { Affected } from '../staff/affected.tsx';

const texts = strings.calendar;

export interface Block {
  readonly staffId: number | undefined;
  /** The day as `2026-11-24`. */
  readonly day: string;
  readonly time: Interval;
}

interface BlockTimeProps {
  readonly block: Block;
  readonly staff: readonly Named[];
  onClose(): void;
}

export function BlockTime({ block, staff, onClose }: BlockTimeProps) {
  const zone = useTimeZone();
  const undo = useApiMutation('updateStaffSchedule', { onError: (error) => notify(errorTitle(error)) });
  /** The hours of the day before the block was first sent: a lost response may reload them with the block. */
  const before = useRef<Schedule['exceptions'][string] | null>(null);
  const nameOf = (id: string) => staff.find((member) => String(member.id) === id)?.name ?? '';
  const api = useApiForm({
    operation: 'updateStaffSchedule',
    initialValues: { staffId: String(block.staffId ?? staff[0]?.id ?? ''), day: block.day, ...block.time },
    validate: ({ staffId, day, from, to }) => ({
      day: day ? undefined : strings.staff.noDay,
      from: isTime(from) ? undefined : texts.enterTime,
      to: !isTime(to)
        ? texts.enterTime
        : to <= from
          ? strings.staff.blockEnd
          : isSkipped(day, from, to, zone)
            ? texts.skippedTime
            : schedule && isWithout(hours(day), { from, to })
              ? texts.reasons.outside_hours(nameOf(staffId))
              : undefined,
    }),
    fieldNames: (path) => (path.startsWith('exceptions') ? 'to' : path),
    toInput: ({ staffId, day, from, to }) => {
      before.current = schedule?.exceptions[day] ?? null;
      return { id: Number(staffId), exceptions: { [day]: without(hours(day), { from, to }) } };
    },
    onSuccess: () => {
      const { staffId, day, from, to } = api.submitted;
      notify(texts.blocked(nameOf(staffId), `${wholeDay(day)}, ${from}–${to}`), () =>
        undo.mutate({ id: Number(staffId), exceptions: { [day]: before.current } }),
      );
    },
    onDone: onClose,
  });
  const { form } = api;
  const { staffId, day, from, to } = form.values;
  const known = useSchedule(staffId);
  const schedule = known.data;
  const hours = (date: string): DayHours => (schedule ? hoursOn(schedule, date) : []);
  return (
    <FormModal opened onClose={onClose} title={texts.block} size="md">
      {/* The new hours of the day are computed from the schedule. */}
      <FormFrame api={{ ...api, isUnchanged: !schedule }} verb={texts.block} onClose={onClose}>
        <Text size="sm">{texts.blockText}</Text>
        <Select
          label={texts.member}
          data={choicesOf(staff)}
          searchable={isSearched(staff)}
          allowDeselect={false}
          data-autofocus
          {...form.getInputProps('staffId')}
        />
        <DateField label={texts.day} required {...form.getInputProps('day')} />
        <Group grow align="flex-start">
          <TimeInput label={strings.staff.blockFrom} {...form.getInputProps('from')} />
          <TimeInput label={strings.staff.blockTo} {...form.getInputProps('to')} />
        </Group>
        <QueryState query={known} loading={false}>
          {() =>
            day &&
            isTime(from) &&
            isTime(to) &&
            from < to && (
              <Affected
                staffId={Number(staffId)}
                from={day}
                to={day}
                hoursOf={(date) => without(hours(date), { from, to })}
              />
            )
          }
        </QueryState>
      </FormFrame>
    </FormModal>
  );
}

function useSchedule(staffId: string): UseQueryResult<Schedule, ApiError> {
  return useApi('getStaffSchedule', { id: Number(staffId) }, { enabled: staffId !== '' });
}
