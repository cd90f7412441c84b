/** The form for days off and special hours. */
import { Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { FormFrame } from '../../components/form-frame.tsx';
import { type DayHours, OneDayInput } from '../../components/hours-input.tsx';
import { notify } from '../../components/notify.ts';
import { useApiForm } from '../../components/use-api-form.ts';
import { addDays } from '../../format/days.ts';
import { useToday } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { daysOf } from './day-runs.ts';

const texts = strings.staff;
const kinds = ['off', 'hours'] as const;
const daysAtOnce = 366;

export function ExceptionForm({ staffId, onClose }: { readonly staffId: number; onClose(): void }) {
  const today = useToday();
  const api = useApiForm({
    operation: 'updateStaffSchedule',
    initialValues: {
      from: today,
      to: '',
      kind: 'off' as (typeof kinds)[number],
      hours: [{ from: '09:00', to: '13:00' }] as DayHours,
    },
    validate: ({ from, to }) => ({
      from: from ? undefined : texts.noDay,
      to: to ? problemOf(from, to) : undefined,
    }),
    // All days have the same hours, so an error of any day belongs to the one field.
    fieldNames: (path) => path.replace(/^exceptions\.[^.]+/, 'hours'),
    toInput: ({ from, to, kind, hours }) => {
      const days = daysOf({ from, to: to || from });
      const given = kind === 'off' ? [] : hours;
      return { id: staffId, exceptions: Object.fromEntries(days.map((date) => [date, given])) };
    },
    onSuccess: () => {
      notify(texts.exceptionSaved);
      onClose();
    },
  });
  const { form } = api;
  return (
    <FormFrame api={api} onClose={onClose}>
      <Group grow align="flex-start">
        <TextInput type="date" label={texts.firstDay} required data-autofocus {...form.getInputProps('from')} />
        <TextInput
          type="date"
          label={texts.lastDay}
          description={texts.oneDay}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={form.values.from}
          {...form.getInputProps('to')}
        />
      </Group>
      <Stack gap="md" align="flex-start">
        <SegmentedControl
          aria-label={texts.kind}
          data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
          {...form.getInputProps('kind')}
        />
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
    </FormFrame>
  );
}

function problemOf(from: string, to: string): string | undefined {
  if (to < from) return texts.lastBeforeFirst;
  return to > addDays(from, daysAtOnce - 1) ? texts.tooManyDays(daysAtOnce) : undefined;
}
