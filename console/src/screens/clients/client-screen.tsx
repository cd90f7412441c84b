/** One client: contact details, bookings, and erasure. */
import { Alert, Anchor, Button, Checkbox, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CalendarX2, CreditCard, Download, Eraser, Pencil, UserX } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useApiCalls, useApiList, useApiMutation } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { errorTitle } from '../../components/error-text.ts';
import { FactList } from '../../components/fact-list.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { saveFile } from '../../components/save-file.ts';
import { now } from '../../format/clock.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { isOpen, serviceOf, staffOf } from '../bookings/booking.ts';
import { ClientForm } from './client-form.tsx';
import { ClientHistory } from './client-history.tsx';

const texts = strings.clients;
const route = getRouteApi('/clients/$clientId');
/** The number of upcoming bookings that are listed before an erasure. */
const listed = 5;

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
      actions={client.data && !client.data.erasedAt && <ClientActions key={clientId} client={client.data} />}
    >
      <QueryState query={client}>
        {({ id, phone, email, erasedAt }) => (
          <>
            {erasedAt && (
              <Alert color="gray" icon={<UserX />} title={texts.erasedTitle}>
                {texts.erasedAt(dateTime(erasedAt))}
              </Alert>
            )}
            <Paper component="section" aria-label={strings.app.details}>
              <FactList
                facts={[
                  [texts.phone, phone && <Anchor href={`tel:${phone}`}>{phone}</Anchor>],
                  [texts.email, email && <Anchor href={`mailto:${email}`}>{email}</Anchor>],
                  [
                    strings.screens.payments,
                    <AnchorLink key="payments" to="/payments" search={{ client: id }}>
                      <CreditCard size={14} aria-hidden /> {texts.toPayments}
                    </AnchorLink>,
                  ],
                ]}
              />
            </Paper>
            <ClientHistory key={id} clientId={id} />
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
  const stop = () => setDoing(undefined);
  const erase = useApiMutation('eraseClient', {
    onSuccess: () => {
      stop();
      notify(texts.erasedNotice);
    },
  });
  const { when } = useTimes();
  const [at] = useState(() => new Date(now()).toISOString());
  const bookings = useApiList(
    'listBookings',
    { clientId: id, from: at, limit: 100 },
    { enabled: doing === 'erase', loadsWhile: () => true },
  );
  const upcoming = (bookings.data?.entries ?? []).filter(isOpen);
  const [cancels, setCancels] = useState(true);
  return (
    <>
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={() => setDoing('change')}>
        {strings.app.edit}
      </Button>
      {may('owner') && <ExportButton id={id} />}
      {may('owner') && (
        <Button variant="light" color="red" leftSection={<Eraser size={16} />} onClick={() => setDoing('erase')}>
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
        consequences={texts.eraseConsequences}
        choice={
          <QueryState query={bookings} loading={false}>
            {() =>
              upcoming.length > 0 && (
                <Alert color="yellow" icon={<CalendarX2 />} title={texts.eraseBookings(upcoming.length)}>
                  <Stack gap="xs">
                    {upcoming.slice(0, listed).map((booking) => (
                      <Text key={booking.id} size="sm">
                        {`${when(booking.startTime)} · ${serviceOf(booking)} · ${staffOf(booking)}`}
                      </Text>
                    ))}
                    {upcoming.length > listed && (
                      <Text size="sm">{strings.staff.affectedMore(upcoming.length - listed)}</Text>
                    )}
                    <Checkbox
                      label={texts.eraseCancels}
                      description={cancels ? undefined : texts.eraseKeeps}
                      checked={cancels}
                      onChange={({ currentTarget }) => setCancels(currentTarget.checked)}
                    />
                  </Stack>
                </Alert>
              )
            }
          </QueryState>
        }
        verb={texts.eraseVerb}
        typed={name}
        mutation={erase}
        // The question about the bookings may be missing.
        isLoading={!bookings.data || bookings.hasNextPage}
        onConfirm={() => erase.mutate({ id, ...(upcoming.length > 0 && { cancelBookings: cancels }) })}
        onClose={stop}
      />
    </>
  );
}

/** The button that exports all data about the client as one file. */
function ExportButton({ id }: { readonly id: number }) {
  const { call } = useApiCalls();
  const exported = useMutation({
    mutationFn: async () => {
      const pages = [await call('exportClient', { id })];
      for (let cursor = pages.at(-1)?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
        pages.push(await call('exportClient', { id, cursor }));
      }
      return { client: pages[0]?.client, records: pages.flatMap(({ records }) => records) };
    },
    onSuccess: (file) => {
      saveFile(`client-${id}.json`, 'application/json', [JSON.stringify(file, null, 2)]);
      notify(texts.exported);
    },
    onError: (error) => notify(errorTitle(error)),
  });
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} />}
      loading={exported.isPending}
      onClick={() => exported.mutate()}
    >
      {texts.exportData}
    </Button>
  );
}
