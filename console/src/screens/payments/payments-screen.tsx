/** The list of payments and refunds. */
import { Button, Text } from '@mantine/core';
import { CreditCard, Plus } from 'lucide-react';
import { type EntryOf, useApi, useApiCalls, useApiList, useByIds } from '../../api/hooks.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { nameOf } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Beside, ExportCsv } from '../../components/export-csv.tsx';
import { NumberFilter } from '../../components/filter-field.tsx';
import { FilteredList } from '../../components/filtered-list.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { PeriodFields } from '../../components/period-fields.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { usePreviousDefined } from '../../components/use-previous-defined.ts';
import { ZoneNote } from '../../components/zone-note.tsx';
import { periodOf } from '../../format/days.ts';
import { money, plainMoney } from '../../format/money.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import type { Booking } from '../bookings/booking.ts';
import { methodName } from './method.ts';
import { PaymentDetails } from './payment-details.tsx';
import { type Payment, PaymentState } from './payment-state.tsx';
import { PaymentTotals } from './payment-totals.tsx';
import { RecordForm, type RecordFormProps } from './record-form.tsx';

const texts = strings.payments;
const limit = 20;

/** Data for the CSV file, by id. */
interface Related {
  readonly bookings: ReadonlyMap<number, Booking>;
  readonly clients: ReadonlyMap<number, EntryOf<'listClients'>>;
}

/** Sends two requests for each page of payments. */
function useRelated(): (payments: readonly Payment[], signal: AbortSignal) => Promise<Related> {
  const { call } = useApiCalls();
  return async (payments, signal) => {
    const read = async <Id extends 'listBookings' | 'listClients'>(id: Id, ids: readonly (number | null)[]) => {
      const some = [...new Set(ids)].filter((one) => one !== null);
      const { data } = some.length > 0 ? await call(id, { ids: some.join(',') }, { signal }) : { data: [] };
      return new Map(data.map((entry) => [entry.id, entry as EntryOf<Id>]));
    };
    const bookings = payments.map(({ bookingId }) => bookingId);
    const clients = payments.map(({ clientId }) => clientId);
    return { bookings: await read('listBookings', bookings), clients: await read('listClients', clients) };
  };
}

const csvColumns = {
  id: ({ id }: Payment) => id,
  receivedAt: ({ receivedAt }: Payment, { time }: Beside) => time(receivedAt),
  clientId: ({ clientId }: Payment) => clientId,
  client: ({ clientId }: Payment, { related }: Beside<Related>) => nameOf(related?.clients.get(clientId ?? 0)),
  bookingId: ({ bookingId }: Payment) => bookingId,
  bookingStart: ({ bookingId }: Payment, { time, related }: Beside<Related>) =>
    time(related?.bookings.get(bookingId ?? 0)?.startTime),
  method: ({ method }: Payment) => method,
  amount: (payment: Payment) => plainMoney(payment),
  refundedAmount: (payment: Payment) => plainMoney({ ...payment, amount: payment.refundedAmount }),
  currency: ({ currency }: Payment) => currency,
};

export function PaymentsScreen() {
  const [{ payment: opened, client, booking, from, to }, set, clear] = useScreenSearch('/payments');
  const { zone } = useTimes();
  const filters = { clientId: client, bookingId: booking, ...periodOf({ from, to }, zone) };
  const payments = useApiList('listPayments', { ...filters, limit });
  const related = useRelated();
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={() => set({ payment: 'new' })}>
      {texts.record}
    </Button>
  );
  return (
    <Page
      title={strings.screens.payments}
      description={texts.intro}
      actions={
        <>
          <ExportCsv list="listPayments" input={filters} fileName="payments" related={related} columns={csvColumns} />
          {button}
        </>
      }
    >
      <FilteredList
        list={payments}
        values={[client, booking, from, to]}
        texts={texts}
        onClear={clear}
        empty={
          <EmptyState icon={CreditCard} title={texts.emptyTitle} hint={texts.emptyHint}>
            {button}
          </EmptyState>
        }
        table={(entries) => (
          <>
            <PaymentTotals filters={filters} />
            <PaymentTable payments={entries} />
            <ZoneNote />
          </>
        )}
      >
        <ClientSelect
          w={{ base: '100%', xs: 250 }}
          label={texts.clientId}
          value={client}
          onChange={(id) => set({ client: id })}
        />
        <PeriodFields from={from} to={to} onChange={set} />
        <NumberFilter label={strings.bookings.number} value={booking} onChange={(id) => set({ booking: id })} />
      </FilteredList>
      <PaymentDrawer
        opened={opened}
        bookingId={booking}
        clientId={client}
        onClose={() => set({ payment: undefined })}
      />
    </Page>
  );
}

function PaymentTable({ payments }: { readonly payments: readonly Payment[] }) {
  const clients = useByIds(
    'listClients',
    payments.map(({ clientId }) => clientId),
  );
  const client = ({ clientId }: Payment) =>
    clientId === null ? <Text c="dimmed">{texts.noClient}</Text> : nameOf(clients.get(clientId));
  const columns: readonly Column<Payment>[] = [
    {
      name: texts.columns.when,
      cell: ({ id, receivedAt }) => (
        <RowLink to="/payments" search={(old) => ({ ...old, payment: id })} resetScroll={false}>
          <DateTime at={receivedAt} />
        </RowLink>
      ),
    },
    { name: texts.columns.client, visibleFrom: 'sm', isFolded: true, cell: client },
    { name: texts.columns.method, visibleFrom: 'md', cell: ({ method }) => methodName(method) },
    { name: texts.columns.status, visibleFrom: 'sm', cell: (payment) => <PaymentState payment={payment} /> },
    {
      name: texts.columns.amount,
      isNumeric: true,
      cell: (payment) => (
        <>
          <Text span inherit fw={600}>
            {money(payment)}
          </Text>
          {payment.refundedAmount > 0 && (
            <DimmedText>{texts.refundedOf(money({ ...payment, amount: payment.refundedAmount }))}</DimmedText>
          )}
        </>
      ),
    },
  ];
  return <TableList label={strings.screens.payments} columns={columns} entries={payments} keyOf={({ id }) => id} />;
}

/** A new payment belongs to the booking or the client of the filters. */
interface PaymentDrawerProps extends RecordFormProps {
  readonly opened: number | 'new' | undefined;
}

function PaymentDrawer({ opened, ...form }: PaymentDrawerProps) {
  const shown = usePreviousDefined(opened);
  const id = typeof shown === 'number' ? shown : undefined;
  const payment = useApi('getPayment', { id: id ?? 0 }, { enabled: id !== undefined && opened !== undefined });
  return (
    <FormDrawer
      opened={opened !== undefined}
      title={id === undefined ? texts.recordTitle : payment.data ? texts.title(money(payment.data)) : texts.number}
      onClose={form.onClose}
      isForm={id === undefined}
    >
      {id === undefined ? (
        <RecordForm {...form} />
      ) : (
        <QueryState query={payment}>{(found) => <PaymentDetails payment={found} />}</QueryState>
      )}
    </FormDrawer>
  );
}
