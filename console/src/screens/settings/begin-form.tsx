/** The form that creates a business and then opens the first steps. */
import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { notify } from '../../components/notify.tsx';
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
    onSuccess: ({ name }) => {
      notify(texts.begun(name));
      void navigate({ to: '/' });
    },
  });
  const { form } = api;
  return (
    <Paper component="section" aria-label={texts.beginTitle} maw={640}>
      <form onSubmit={api.submit} noValidate>
        <Stack gap="lg">
          <div>
            <Title order={2}>{texts.beginTitle}</Title>
            <Text size="sm" c="dimmed" mt={4}>
              {texts.beginText}
            </Text>
          </div>
          <TextInput label={texts.name} required maxLength={200} autoFocus {...form.getInputProps('name')} />
          <ZoneField own={form.values.timeZone} required {...form.getInputProps('timeZone')} />
          <CurrencyField own="EUR" required {...form.getInputProps('currency')} />
          <ErrorNotice error={api.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={api.isPending}>
              {strings.business.missing.live.next}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
