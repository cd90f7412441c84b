/** The form that creates a business and then opens the first steps. */
import { Box, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FormSection } from '../../components/form-frame.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { usualWeek } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';
import { CurrencyField, ZoneField } from './place-fields.tsx';

const texts = strings.settings;

export function BeginForm() {
  const navigate = useNavigate();
  const api = useApiForm({
    operation: 'updateBusiness',
    initialValues: { name: '', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, currency: 'EUR' },
    toInput: (values) => ({ ...values, name: values.name.trim(), workingHours: usualWeek }),
    notification: ({ name }) => texts.begun(name),
    onSuccess: () => void navigate({ to: '/' }),
  });
  const { form } = api;
  return (
    <Box maw={640}>
      <FormSection
        api={api}
        title={texts.beginTitle}
        description={texts.beginText}
        verb={strings.business.missing.live.next}
      >
        <TextInput label={texts.name} required maxLength={200} autoFocus {...form.getInputProps('name')} />
        <ZoneField own={form.values.timeZone} required {...form.getInputProps('timeZone')} />
        <CurrencyField own="EUR" required {...form.getInputProps('currency')} />
      </FormSection>
    </Box>
  );
}
