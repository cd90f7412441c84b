/** One payment: client, booking and refunds. */
import { Alert, Button, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { apiQueryOptions, useApi, useApiCalls } from '../../api/hooks.ts';
import { ClientName } from '../../components/client-name.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { notify } from '../../components/notify.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { ZoneNote } from '../../components/zone-note.tsx';
import { amountProblem, money } from '../../format/money.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { serviceOf, staffOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';
import { methodName } from './method.ts';
import { PaymentState } from './payment-state.tsx';

const texts = strings.payments;

type PaymentWithRefunds = Answer<'getPayment'>;

export function PaymentDetails({ payment }: { readonly payment: PaymentWithRefunds }) {
  const { dateTime } = useTimes();
  // Undefined until the form has been open once.
  const [isRefunding, setRefunding] = useState<boolean>();
  const { id, bookingId, clientId, amount, refundedAmount, currency, method, receivedAt, refunds } = payment;
  const booking = useApi('getBooking', { id: bookingId ?? 0 }, { enabled: bookingId !== null });
  const left = amount - refundedAmount;
  return (
    <Stack gap="xl">
      <FactList
        facts={[
          [texts.columns.status, <PaymentState key="status" payment={payment} />],
          [texts.columns.when, dateTime(receivedAt)],
          [texts.columns.method, methodName(method)],
          [
            texts.clientId,
            clientId !== null && (
              <AnchorLink to="/clients/$clientId" params={{ clientId: String(clientId) }}>
                <ClientName id={clientId} />
              </AnchorLink>
            ),
          ],
          [
            strings.bookings.one,
            booking.data && (
              <BookingLink key="booking" booking={booking.data}>
                {`${serviceOf(booking.data)} · ${staffOf(booking.data)} · ${dateTime(booking.data.startTime)}`}
              </BookingLink>
            ),
          ],
          [texts.totals.net, refundedAmount > 0 && money({ amount: left, currency })],
          [texts.number, strings.app.numbered(id)],
        ]}
      />
      <Stack gap="sm" component="section" aria-label={texts.refunds}>
        <Title order={3}>{texts.refunds}</Title>
        {refunds.length === 0 && <Text c="dimmed">{texts.noRefunds}</Text>}
        {refunds.length > 0 && (
          <FactList
            facts={refunds.map((refund) => [
              dateTime(refund.refundedAt),
              `${money(refund)}${refund.reason ? ` · ${refund.reason}` : ''}`,
            ])}
          />
        )}
        {left > 0 && !isRefunding && (
          <Button
            variant="default"
            w="fit-content"
            leftSection={<Undo2 size={16} />}
            autoFocus={isRefunding === false}
            onClick={() => setRefunding(true)}
          >
            {texts.refund}
          </Button>
        )}
        {left > 0 && isRefunding && (
          <RefundForm id={id} left={left} currency={currency} onClose={() => setRefunding(false)} />
        )}
      </Stack>
      <ZoneNote />
    </Stack>
  );
}

interface RefundFormProps {
  readonly id: number;
  /** The largest possible refund, in minor units. */
  readonly left: number;
  readonly currency: string;
  onClose(): void;
}

function RefundForm({ id, left, currency, onClose }: RefundFormProps) {
  const queries = useQueryClient();
  const { queryKey } = apiQueryOptions(useApiCalls(), 'getPayment', { id });
  const api = useApiForm({
    operation: 'refundPayment',
    initialValues: { amount: left as number | undefined, reason: '' },
    // For the API, no amount means the rest. The form requires a number.
    validate: ({ amount }) => ({ amount: amountProblem(amount, currency) }),
    toInput: ({ amount, reason }) => ({ id, amount, ...(reason.trim() && { reason: reason.trim() }) }),
    onSuccess: (refund) => {
      // Until the payment is loaded again.
      queries.setQueryData<PaymentWithRefunds>(queryKey, (payment) => {
        // An earlier attempt, whose response was lost, may have recorded it.
        if (!payment || payment.refunds.some((known) => known.id === refund.id)) return payment;
        const refundedAmount = payment.refundedAmount + refund.amount;
        return { ...payment, refundedAmount, refunds: [...payment.refunds, refund] };
      });
      notify(texts.refunded(money({ amount: refund.amount, currency })));
    },
    onDone: onClose,
  });
  const { form } = api;
  const field = fieldsOf(api, texts);
  const { amount = Number.NaN } = form.values;
  return (
    <FormFrame
      api={api}
      verb={Number.isNaN(amount) ? texts.refund : texts.refundVerb(money({ amount, currency }))}
      onClose={onClose}
    >
      <MoneyInput
        {...field('amount')}
        description={texts.refundLimit(money({ amount: left, currency }))}
        currency={currency}
        autoFocus
      />
      <Textarea {...field('reason')} autosize maxLength={2_000} />
      <Alert color="yellow" title={texts.refundNote}>
        {texts.refundNoteHint}
      </Alert>
    </FormFrame>
  );
}
