/** The form for days off and special hours. */
import { Alert, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { CalendarX2 } from 'lucide-react';
import { useApiList } from '../../api/hooks.ts';
import { DateField } from '../../components/date-field.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { OneDayInput } from '../../components/hours-input.tsx';
import { notify } from '../../components/notify.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { addDays, startOfDay } from '../../format/days.ts';
import { useTimes, useToday } from '../../format/times.ts';
import {
  contains,
  type DayHours,
  hoursOn,
  type Interval,
  intervalOf,
  type Schedule,
  usualDay,
  without,
} from '../../format/working-hours.ts';
import { wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { clientOf, isOpen } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';
import { daysOf } from './day-runs.ts';

const texts = strings.staff;
const kinds = ['off', 'block', 'hours'] as const;
/** How many affected bookings are listed. */
const listed = 5;
const daysAtOnce = 366;

export interface ExceptionFormProps {
  readonly staffId: number;
  readonly schedule: Schedule;
  onClose(): void;
}

export function ExceptionForm({ staffId, schedule, onClose }: ExceptionFormProps) {
  const today = useToday();
  const api = useApiForm({
    operation: 'updateStaffSchedule',
    initialValues: {
      from: today,
      to: '',
      kind: 'off' as (typeof kinds)[number],
      hours: hoursOrUsual(schedule, today),
      block: { from: '12:00', to: '13:00' },
    },
    validate: ({ from, to, kind, block }) => ({
      from: from ? undefined : texts.noDay,
      to: to ? problemOf(from, to) : undefined,
      'block.to': kind === 'block' && block.to <= block.from ? texts.blockEnd : undefined,
    }),
    // An error of any day belongs to the one field.
    fieldNames: (path, { kind }) => path.replace(/^exceptions\.[^.]+/, kind === 'block' ? 'block.to' : 'hours'),
    toInput: (values) => ({
      id: staffId,
      exceptions: Object.fromEntries(days(values).map((date) => [date, hoursOf(schedule, date, values)])),
    }),
    onSuccess: () => {
      notify(texts.exceptionSaved);
      onClose();
    },
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
          inputWrapperOrder={['label', 'input', 'description', 'error']}
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
      <Affected staffId={staffId} schedule={schedule} values={form.values} />
    </FormFrame>
  );
}

interface Values {
  readonly from: string;
  /** Empty: one day. */
  readonly to: string;
  readonly kind: (typeof kinds)[number];
  readonly hours: DayHours;
  readonly block: Interval;
}

const days = ({ from, to }: Values) => daysOf({ from, to: to || from });

/** The hours of a day with the exception. */
function hoursOf(schedule: Schedule, day: string, { kind, hours, block }: Values): DayHours {
  if (kind === 'off') return [];
  return kind === 'block' ? without(hoursOn(schedule, day), block) : hours;
}

/** The hours of the day, or the usual day on a day off. */
function hoursOrUsual(schedule: Schedule, day: string): DayHours {
  const hours = hoursOn(schedule, day);
  return hours.length > 0 ? hours : usualDay;
}

interface AffectedProps {
  readonly staffId: number;
  readonly schedule: Schedule;
  readonly values: Values;
}

/** Lists the bookings that lie outside the new hours. They stay. */
function Affected({ staffId, schedule, values }: AffectedProps) {
  const times = useTimes();
  const { from, to } = values;
  const isValid = from !== '' && (to === '' || problemOf(from, to) === undefined);
  const bookings = useApiList(
    'listBookings',
    {
      staffId,
      from: isValid ? startOfDay(from, times.zone) : '',
      to: isValid ? startOfDay(addDays(to || from, 1), times.zone) : '',
      limit: 100,
    },
    { enabled: isValid, pagesAtOnce: Number.POSITIVE_INFINITY },
  );
  const affected = (bookings.data?.entries ?? []).filter((booking) => {
    const [start, end] = [booking.startTime, booking.endTime].map((at) => wallClock(at, times.zone));
    const hours = hoursOf(schedule, times.day(booking.startTime), values);
    return isOpen(booking) && !contains(hours, intervalOf(start ?? '', end ?? ''));
  });
  if (!isValid || affected.length === 0) return null;
  return (
    <Alert color="yellow" icon={<CalendarX2 />} title={texts.affected(affected.length)} role="status">
      <Stack gap={4}>
        <Text size="sm">{texts.affectedHint}</Text>
        {affected.slice(0, listed).map((booking) => (
          <BookingLink key={booking.id} booking={booking} size="sm">
            {`${times.date(booking.startTime)}, ${times.time(booking.startTime)} · ${clientOf(booking)} · ${booking.serviceName}`}
          </BookingLink>
        ))}
        {affected.length > listed && <Text size="sm">{texts.affectedMore(affected.length - listed)}</Text>}
      </Stack>
    </Alert>
  );
}

function problemOf(from: string, to: string): string | undefined {
  if (to < from) return texts.lastBeforeFirst;
  return to > addDays(from, daysAtOnce - 1) ? texts.tooManyDays(daysAtOnce) : undefined;
}
