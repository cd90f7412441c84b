/** The form that records a payment. */
import { Autocomplete } from '@mantine/core';
import type { Input } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { amountProblem, money } from '../../format/money.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf } from '../bookings/booking.ts';
import { methodOf } from './method.ts';

const texts = strings.payments;

export interface RecordFormProps {
  /** The booking that is paid. Default: none. */
  readonly bookingId: number | undefined;
  /** The client who is chosen first, for a payment without a booking. */
  readonly clientId: number | undefined;
  onClose(): void;
}

export function RecordForm({ bookingId, ...props }: RecordFormProps) {
  const booking = useApi('getBooking', { id: bookingId ?? 0 }, { enabled: bookingId !== undefined });
  if (bookingId === undefined) return <Fields {...props} />;
  return <QueryState query={booking}>{(found) => <Fields {...props} booking={found} />}</QueryState>;
}

interface FieldsProps extends Omit<RecordFormProps, 'bookingId'> {
  readonly booking?: Booking;
}

function Fields({ booking, clientId, onClose }: FieldsProps) {
  const currency = useBusiness()?.currency ?? 'EUR';
  const { when } = useTimes();
  const api = useApiForm({
    operation: 'recordPayment',
    initialValues: {
      amount: booking?.price.currency === currency ? booking.price.amount : undefined,
      method: '',
      clientId: booking ? undefined : clientId,
    },
    validate: ({ amount }) => ({ amount: amountProblem(amount, currency) }),
    toInput: (values) =>
      ({ ...values, method: methodOf(values.method), bookingId: booking?.id }) as Input<'recordPayment'>,
    notification: (payment) => texts.recorded(money(payment)),
    onDone: onClose,
  });
  const { form } = api;
  const field = fieldsOf(api, texts);
  return (
    <FormFrame api={api} verb={texts.record} onClose={onClose}>
      <MoneyInput {...field('amount')} currency={currency} required data-autofocus />
      <Autocomplete {...field('method')} data={Object.values(texts.methods)} required maxLength={50} />
      {booking ? (
        <FactList
          facts={[
            [strings.bookings.one, `${serviceOf(booking)} · ${when(booking.startTime)}`],
            [texts.clientId, clientOf(booking)],
          ]}
        />
      ) : (
        <ClientSelect {...field('clientId')} value={form.values.clientId} />
      )}
      <DimmedText>{texts.receivedNow}</DimmedText>
    </FormFrame>
  );
}
