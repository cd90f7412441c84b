/** A payment that was received by other means than through the API. */
import { Autocomplete, Text } from '@mantine/core';
import type { Input } from '../../api/call.ts';
import { useChange } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { money } from '../../format/money.ts';
import { ClientSelect } from '../../parts/client-select.tsx';
import { FormFrame } from '../../parts/form-frame.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.payments;

export function RecordForm({ onClose }: { onClose(): void }) {
  const currency = useBusiness()?.currency ?? 'EUR';
  const record = useChange('recordPayment');
  const api = useApiForm({
    initialValues: {
      amount: undefined as number | undefined,
      method: '',
      clientId: undefined as number | undefined,
    },
    // An amount that is missing is refused beside its field.
    send: (values) => record.mutateAsync({ ...values, method: values.method.trim() } as Input<'recordPayment'>),
    onDone: (payment) => {
      said(texts.recorded(money(payment)));
      onClose();
    },
  });
  const { form } = api;
  return (
    <FormFrame api={api} verb={texts.record} onClose={onClose}>
      <MoneyInput label={texts.amount} currency={currency} required data-autofocus {...form.getInputProps('amount')} />
      <Autocomplete
        label={texts.method}
        description={texts.methodHint}
        data={[...texts.methods]}
        required
        maxLength={50}
        {...form.getInputProps('method')}
      />
      <ClientSelect label={texts.client} {...form.getInputProps('clientId')} value={form.values.clientId} />
      <Text size="sm" c="dimmed">
        {texts.receivedNow}
      </Text>
    </FormFrame>
  );
}
