/** The hours of every week of one of the staff. */
import { useChange } from '../../api/hooks.ts';
import { useTimeZone } from '../../app/business.tsx';
import { FormSection } from '../../parts/form-frame.tsx';
import { type Week, WeekInput } from '../../parts/hours-input.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.staff;

export function WeeklyHours({ staffId, weekly }: { readonly staffId: number; readonly weekly: Week }) {
  const zone = useTimeZone();
  const update = useChange('updateStaffSchedule');
  const api = useApiForm({
    initialValues: { weekly },
    send: (values) => update.mutateAsync({ id: staffId, ...values }),
    onDone: () => said(texts.weeklySaved),
  });
  const { values, errors, setFieldValue } = api.form;
  return (
    <FormSection api={api} title={texts.weekly} about={texts.weeklyAbout(zone)}>
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
