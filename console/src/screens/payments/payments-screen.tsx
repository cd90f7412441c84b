/** The list of payments and refunds. */
import { Button, Text } from '@mantine/core';
import { CreditCard, Plus, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Input } from '../../api/call.ts';
import { type EntryOf, useApi, useApiCalls, useApiList, useByIds } from '../../api/hooks.ts';
import type { SearchOf } from '../../app/search.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { nameOf } from '../../components/client-name.tsx';
import { CursorList } from '../../components/cursor-list.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Beside, ExportCsv } from '../../components/export-csv.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
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
import { PaymentFilters } from './payment-filters.tsx';
import { type Payment, PaymentState } from './payment-state.tsx';
import { PaymentTotals } from './payment-totals.tsx';
import { RecordForm } from './record-form.tsx';

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
  const [search, set] = useScreenSearch('/payments');
  const { zone } = useTimes();
  const filters = { clientId: search.client, bookingId: search.booking, ...periodOf(search, zone) };
  const related = useRelated();
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={() => set({ payment: 'new' })}>
      {texts.record}
    </Button>
  );
  return (
    <Page title={strings.screens.payments} description={texts.intro} actions={button}>
      <PaymentFilters />
      <PaymentTotals filters={filters} />
      <ExportCsv list="listPayments" input={filters} fileName="payments" related={related} columns={csvColumns} />
      <PaymentList filters={filters} add={button} />
      <ZoneNote />
      <PaymentDrawer search={search} onClose={() => set({ payment: undefined })} />
    </Page>
  );
}

interface PaymentListProps {
  readonly filters: NonNullable<Input<'listPayments'>>;
  readonly add: ReactNode;
}

function PaymentList({ filters, add }: PaymentListProps) {
  const payments = useApiList('listPayments', { ...filters, limit });
  const clients = useByIds('listClients', payments.data?.entries.map(({ clientId }) => clientId) ?? []);
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
  return (
    <CursorList
      list={payments}
      empty={
        Object.values(filters).some((value) => value !== undefined) ? (
          <EmptyState icon={SearchX} title={texts.noneFound} hint={texts.noneFoundHint} />
        ) : (
          <EmptyState icon={CreditCard} title={texts.emptyTitle} hint={texts.emptyHint}>
            {add}
          </EmptyState>
        )
      }
    >
      {(entries) => (
        <TableList label={strings.screens.payments} columns={columns} entries={entries} keyOf={({ id }) => id} />
      )}
    </CursorList>
  );
}

interface PaymentDrawerProps {
  /** The open payment, and the filters of the list, to which a new payment belongs. */
  readonly search: SearchOf<'/payments'>;
  onClose(): void;
}

function PaymentDrawer({ search: { payment: opened, booking, client }, onClose }: PaymentDrawerProps) {
  const shown = usePreviousDefined(opened);
  const id = typeof shown === 'number' ? shown : undefined;
  const payment = useApi('getPayment', { id: id ?? 0 }, { enabled: id !== undefined && opened !== undefined });
  return (
    <FormDrawer
      opened={opened !== undefined}
      title={id === undefined ? texts.recordTitle : payment.data ? texts.title(money(payment.data)) : texts.number}
      onClose={onClose}
      isForm={id === undefined}
    >
      {id === undefined ? (
        <RecordForm bookingId={booking} clientId={client} onClose={onClose} />
      ) : (
        <QueryState query={payment}>{(found) => <PaymentDetails payment={found} />}</QueryState>
      )}
    </FormDrawer>
  );
}
