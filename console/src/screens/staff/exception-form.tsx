/** The form for days off and special hours. */
import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useTimeZone } from '../../app/business.tsx';
import { DateField } from '../../components/date-field.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { OneDayInput } from '../../components/hours-input.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { descriptionBelow, useApiForm } from '../../components/use-api-form.ts';
import { addDays, daysOf } from '../../format/days.ts';
import { isTime } from '../../format/time-of-day.ts';
import { useToday } from '../../format/times.ts';
import {
  type DayHours,
  hoursOn,
  type Interval,
  isWithout,
  type Schedule,
  usualDay,
  without,
} from '../../format/working-hours.ts';
import { isSkipped } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { Affected } from './affected.tsx';

const texts = strings.staff;
const kinds = ['off', 'block', 'hours'] as const;
const daysAtOnce = 366;

interface ExceptionFormProps {
  readonly staffId: number;
  readonly schedule: Schedule;
  onClose(): void;
}

export function ExceptionForm({ staffId, schedule, onClose }: ExceptionFormProps) {
  const today = useToday();
  const zone = useTimeZone();
  const api = useApiForm({
    operation: 'updateStaffSchedule',
    initialValues: {
      from: today,
      to: '',
      kind: 'off' as (typeof kinds)[number],
      hours: hoursOrUsual(schedule, today),
      block: { from: '12:00', to: '13:00' },
    },
    validate: (values) => ({
      from: values.from ? undefined : texts.noDay,
      to: values.to ? problemOf(values.from, values.to) : undefined,
      'block.from': values.kind === 'block' && !isTime(values.block.from) ? strings.calendar.enterTime : undefined,
      'block.to': blockProblem(values, schedule, zone),
    }),
    // Errors of all days are shown at the same field.
    fieldNames: (path, { kind }) => path.replace(/^exceptions\.[^.]+/, kind === 'block' ? 'block.to' : 'hours'),
    toInput: (values) => ({
      id: staffId,
      exceptions: Object.fromEntries(
        daysToChange(schedule, values, zone).map((date) => [date, hoursOf(schedule, date, values)]),
      ),
    }),
    notification: () => texts.exceptionSaved,
    onDone: onClose,
  });
  const { form } = api;
  return (
    <FormFrame api={api} onClose={onClose}>
      <Group grow align="flex-start">
        <DateField label={texts.firstDay} required data-autofocus {...form.getInputProps('from')} />
        <DateField
          clearable
          label={texts.lastDay}
          description={texts.oneDay}
          inputWrapperOrder={descriptionBelow}
          {...form.getInputProps('to')}
        />
      </Group>
      <Stack gap="md" align="flex-start">
        <SegmentedControl
          aria-label={texts.kind}
          data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
          {...form.getInputProps('kind')}
        />
        {form.values.kind === 'block' && (
          <Group grow align="flex-start">
            <TimeInput label={texts.blockFrom} {...form.getInputProps('block.from')} />
            <TimeInput label={texts.blockTo} {...form.getInputProps('block.to')} />
          </Group>
        )}
        {form.values.kind === 'hours' && (
          <OneDayInput
            path="hours"
            day={strings.hours.thatDay}
            value={form.values.hours}
            errors={form.errors}
            onChange={(hours) => form.setFieldValue('hours', hours)}
          />
        )}
      </Stack>
      {isValid(form.values) && (
        <Affected
          staffId={staffId}
          from={form.values.from}
          to={form.values.to || form.values.from}
          hoursOf={(day) => hoursOf(schedule, day, form.values)}
        />
      )}
    </FormFrame>
  );
}

interface Values {
  readonly from: string;
  /** Empty means one day. */
  readonly to: string;
  readonly kind: (typeof kinds)[number];
  readonly hours: DayHours;
  readonly block: Interval;
}

const isValid = ({ from, to, kind, block }: Values) =>
  from !== '' &&
  (to === '' || problemOf(from, to) === undefined) &&
  (kind !== 'block' || (isTime(block.from) && isTime(block.to)));

function blockProblem(values: Values, schedule: Schedule, zone: string): string | undefined {
  const { from: day, kind, block } = values;
  if (kind !== 'block') return undefined;
  if (!isTime(block.to)) return strings.calendar.enterTime;
  if (block.to <= block.from) return texts.blockEnd;
  if (!isValid(values) || daysToChange(schedule, values, zone).length > 0) return undefined;
  return isSkipped(day, block.from, block.to, zone) ? strings.calendar.skippedTime : texts.blockOutside;
}

/** A day on which the block has no effect stays as it is, so that it follows later changes of the week. */
const daysToChange = (schedule: Schedule, { from, to, kind, block }: Values, zone: string) =>
  daysOf({ from, to: to || from }).filter(
    (day) =>
      kind !== 'block' || !(isWithout(hoursOn(schedule, day), block) || isSkipped(day, block.from, block.to, zone)),
  );

/** Returns the hours of a day with the exception. */
function hoursOf(schedule: Schedule, day: string, { kind, hours, block }: Values): DayHours {
  if (kind === 'off') return [];
  return kind === 'block' ? without(hoursOn(schedule, day), block) : hours;
}

/** Returns the hours of the day, or the usual day on a day off. */
function hoursOrUsual(schedule: Schedule, day: string): DayHours {
  const hours = hoursOn(schedule, day);
  return hours.length > 0 ? hours : usualDay;
}

function problemOf(from: string, to: string): string | undefined {
  if (to < from) return texts.lastBeforeFirst;
  return to > addDays(from, daysAtOnce - 1) ? texts.tooManyDays(daysAtOnce) : undefined;
}
