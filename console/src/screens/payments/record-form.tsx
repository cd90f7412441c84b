/** The form that records a payment. */
import { Autocomplete } from '@mantine/core';
import type { Input } from '../../api/call.ts';
import { useBusiness } from '../../app/business.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { amountProblem, money } from '../../format/money.ts';
import { strings } from '../../strings/strings.ts';
import { methodOf } from './method.ts';

const texts = strings.payments;

export function RecordForm({ onClose }: { onClose(): void }) {
  const currency = useBusiness()?.currency ?? 'EUR';
  const api = useApiForm({
    operation: 'recordPayment',
    initialValues: { amount: undefined as number | undefined, method: '', clientId: undefined as number | undefined },
    validate: ({ amount }) => ({ amount: amountProblem(amount, currency) }),
    toInput: (values) => ({ ...values, method: methodOf(values.method) }) as Input<'recordPayment'>,
    notification: (payment) => texts.recorded(money(payment)),
    onSuccess: onClose,
  });
  const { form } = api;
  const field = fieldsOf(api, texts);
  return (
    <FormFrame api={api} verb={texts.record} onClose={onClose}>
      <MoneyInput {...field('amount')} currency={currency} required data-autofocus />
      <Autocomplete {...field('method')} data={Object.values(texts.methods)} required maxLength={50} />
      <ClientSelect {...field('clientId')} value={form.values.clientId} />
      <DimmedText>{texts.receivedNow}</DimmedText>
    </FormFrame>
  );
}
