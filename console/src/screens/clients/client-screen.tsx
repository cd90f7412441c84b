/** One client: contact details, bookings, and erasure. */
import { Alert, Anchor, Button, Paper } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CreditCard, Eraser, Pencil, UserX } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useApiList, useApiMutation } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { now } from '../../format/clock.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { isOpen } from '../bookings/booking.ts';
import { ClientForm } from './client-form.tsx';
import { ClientHistory } from './client-history.tsx';

const texts = strings.clients;
const route = getRouteApi('/clients/$clientId');

type Client = Answer<'getClient'>;

export function ClientScreen() {
  const { clientId } = route.useParams();
  const { calendarDate, dateTime } = useTimes();
  const client = useApi('getClient', { id: Number(clientId) });
  const nameOf = ({ erasedAt, name }: Client) => (erasedAt ? texts.erased : name);
  return (
    <Page
      back={<BackLink to="/clients" label={texts.back} />}
      title={client.data ? nameOf(client.data) : strings.screens.clients}
      description={client.data && texts.since(calendarDate(client.data.createdAt))}
      actions={client.data && !client.data.erasedAt && <ClientActions client={client.data} />}
    >
      <QueryState query={client}>
        {({ id, phone, email, erasedAt }) => (
          <>
            {erasedAt && (
              <Alert color="gray" icon={<UserX />} title={texts.erasedTitle}>
                {texts.erasedAt(dateTime(erasedAt))}
              </Alert>
            )}
            <Paper component="section" aria-label={texts.details}>
              <FactList
                facts={[
                  [texts.phone, phone && <Anchor href={`tel:${phone}`}>{phone}</Anchor>],
                  [texts.email, email && <Anchor href={`mailto:${email}`}>{email}</Anchor>],
                  [
                    texts.payments,
                    <Anchor
                      key="payments"
                      renderRoot={(props) => <Link to="/payments" search={{ client: id }} {...props} />}
                    >
                      <CreditCard size={14} aria-hidden /> {texts.toPayments}
                    </Anchor>,
                  ],
                ]}
              />
            </Paper>
            <ClientHistory clientId={id} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

function ClientActions({ client }: { readonly client: Client }) {
  const { id, name } = client;
  const [doing, setDoing] = useState<'change' | 'erase'>();
  const may = useMay();
  const erase = useApiMutation('eraseClient');
  const { date, time } = useTimes();
  const [at] = useState(() => new Date(now()).toISOString());
  const bookings = useApiList(
    'listBookings',
    { clientId: id, from: at, limit: 100 },
    { enabled: doing === 'erase', pagesAtOnce: Number.POSITIVE_INFINITY },
  );
  const upcoming = (bookings.data?.entries ?? [])
    .filter(isOpen)
    .map(({ startTime, serviceName }) => texts.eraseBooking(`${date(startTime)}, ${time(startTime)}`, serviceName));
  const stop = () => setDoing(undefined);
  return (
    <>
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={() => setDoing('change')}>
        {texts.change}
      </Button>
      {may('owner') && (
        <Button
          variant="light"
          color="red"
          leftSection={<Eraser size={16} />}
          onClick={() => {
            erase.reset();
            setDoing('erase');
          }}
        >
          {texts.erase}
        </Button>
      )}
      <FormDrawer opened={doing === 'change'} title={texts.changeTitle} onClose={stop}>
        <ClientForm client={client} onDone={stop} onClose={stop} />
      </FormDrawer>
      <ConfirmAction
        opened={doing === 'erase'}
        title={texts.eraseTitle}
        description={texts.eraseText(name)}
        consequences={[...texts.eraseConsequences, ...upcoming]}
        verb={texts.eraseVerb}
        typed={name.trim()}
        isPending={erase.isPending}
        error={erase.error}
        onConfirm={() =>
          erase.mutate(
            { id },
            {
              onSuccess: () => {
                stop();
                notify(texts.erasedNotice);
              },
            },
          )
        }
        onClose={stop}
      />
    </>
  );
}
