/** The opening hours of the business. */
import type { Business } from '../../app/business.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { WeekInput, weekToSave } from '../../components/hours-input.tsx';
import { type ApiForm, useApiForm } from '../../components/use-api-form.ts';
import type { Week } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

export function HoursForm({ business: { workingHours } }: { readonly business: Business }) {
  const api: ApiForm<{ workingHours: Week }> = useApiForm({
    operation: 'updateBusiness',
    initialValues: { workingHours },
    toInput: ({ workingHours: week }) => ({
      workingHours: weekToSave(week, workingHours, (day) => api.form.isDirty(`workingHours.${day}`)),
    }),
    notification: () => texts.hoursSaved,
  });
  const { values, errors, setFieldValue } = api.form;
  return (
    <FormSection api={api} title={texts.hours} description={texts.hoursText}>
      <WeekInput
        path="workingHours"
        value={values.workingHours}
        errors={errors}
        closed={strings.hours.closed}
        onChange={(week) => setFieldValue('workingHours', week)}
      />
    </FormSection>
  );
}
