/** When the business is open. */
import { useChange } from '../../api/hooks.ts';
import type { Business } from '../../app/business.tsx';
import { FormSection } from '../../parts/form-frame.tsx';
import { WeekInput } from '../../parts/hours-input.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

export function HoursForm({ business: { workingHours } }: { readonly business: Business }) {
  const update = useChange('updateBusiness');
  const api = useApiForm({
    initialValues: { workingHours },
    send: (values) => update.mutateAsync(values),
    onDone: () => said(texts.hoursSaved),
  });
  const { values, errors, setFieldValue } = api.form;
  return (
    <FormSection api={api} title={texts.hours} about={texts.hoursAbout}>
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
