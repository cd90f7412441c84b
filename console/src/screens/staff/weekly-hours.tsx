/** The weekly hours of a staff member. */
import { useTimeZone } from '../../app/business.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { WeekInput, weekToSave } from '../../components/hours-input.tsx';
import { type ApiForm, useApiForm } from '../../components/use-api-form.ts';
import type { Week } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.staff;

export function WeeklyHours({ staffId, weekly }: { readonly staffId: number; readonly weekly: Week }) {
  const zone = useTimeZone();
  const api: ApiForm<{ weekly: Week }> = useApiForm({
    operation: 'updateStaffSchedule',
    initialValues: { weekly },
    toInput: ({ weekly: week }) => ({
      id: staffId,
      weekly: weekToSave(week, weekly, (day) => api.form.isDirty(`weekly.${day}`)),
    }),
    notification: () => texts.weeklySaved,
  });
  const { values, errors, setFieldValue } = api.form;
  return (
    <FormSection api={api} title={texts.weekly} description={texts.weeklyText(zone)}>
      <WeekInput
        path="weekly"
        value={values.weekly}
        errors={errors}
        closed={strings.hours.off}
        onChange={(week) => setFieldValue('weekly', week)}
      />
    </FormSection>
  );
}
