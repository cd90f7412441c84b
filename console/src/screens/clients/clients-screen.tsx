/** Everyone who books. */
import { Anchor, Button, CloseButton, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Search, SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApiList } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { useTimes } from '../../format/times.ts';
import { FormDrawer } from '../../parts/form-frame.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { NeedsBusiness } from '../../parts/needs-business.tsx';
import { Nothing } from '../../parts/nothing.tsx';
import { Page } from '../../parts/page.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { type Column, TableList } from '../../parts/table-list.tsx';
import { useTyped } from '../../parts/use-typed.ts';
import { strings } from '../../strings/strings.ts';
import { ClientForm } from './client-form.tsx';

const texts = strings.clients;
const route = getRouteApi('/clients');
const limit = 25;

type Client = Answer<'getClient'>;

export function ClientsScreen() {
  const business = useBusiness();
  const { search = '', add } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useTyped(search, (words) =>
    navigate({ search: (old) => ({ ...old, search: words || undefined }), replace: true, resetScroll: false }),
  );
  const close = () => void navigate({ search: ({ add: _, ...rest }) => rest, resetScroll: false });
  const button = (
    <Button
      leftSection={<Plus size={18} />}
      onClick={() => void navigate({ search: (old) => ({ ...old, add: true }), resetScroll: false })}
    >
      {texts.create}
    </Button>
  );
  return (
    <Page title={strings.screens.clients} about={texts.about} actions={business && button}>
      <NeedsBusiness>
        {() => (
          <>
            <TextInput
              type="search"
              maw={420}
              label={texts.search}
              placeholder={texts.searchHint}
              leftSection={<Search size={16} aria-hidden />}
              rightSection={typed && <CloseButton aria-label={texts.clear} onClick={() => setTyped('')} />}
              value={typed}
              maxLength={200}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <ClientList search={search} add={button} />
            <FormDrawer opened={add === true} title={texts.createTitle} onClose={close}>
              <ClientForm
                onClose={close}
                onDone={({ id }) => void navigate({ to: '/clients/$clientId', params: { clientId: String(id) } })}
              />
            </FormDrawer>
          </>
        )}
      </NeedsBusiness>
    </Page>
  );
}

function ClientList({ search, add }: { readonly search: string; readonly add: ReactNode }) {
  const { calendarDate } = useTimes();
  const clients = useApiList('listClients', { limit, ...(search && { search }) });
  const columns: readonly Column<Client>[] = [
    {
      name: texts.columns.name,
      cell: ({ id, name, phone, email, erasedAt }) => (
        <>
          <Anchor
            className="row-link"
            fw={600}
            fs={erasedAt ? 'italic' : undefined}
            renderRoot={(props) => <Link to="/clients/$clientId" params={{ clientId: String(id) }} {...props} />}
          >
            {erasedAt ? texts.erased : name}
          </Anchor>
          <Text size="sm" c="dimmed" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
            {phone ?? <Email address={email ?? ''} />}
          </Text>
        </>
      ),
    },
    { name: texts.columns.phone, from: 'sm', cell: ({ phone }) => phone },
    { name: texts.columns.email, from: 'md', cell: ({ email }) => email },
    { name: texts.columns.since, atEnd: true, cell: ({ createdAt }) => calendarDate(createdAt) },
  ];
  return (
    <QueryState
      query={clients}
      isEmpty={({ entries }) => entries.length === 0 && !clients.hasNextPage}
      empty={
        search ? (
          <Nothing icon={SearchX} title={texts.noneFound} hint={texts.noneFoundHint} />
        ) : (
          <Nothing icon={Users} title={texts.emptyTitle} hint={texts.emptyHint}>
            {add}
          </Nothing>
        )
      }
    >
      {({ entries }) => (
        <Stack>
          <TableList label={strings.screens.clients} columns={columns} entries={entries} keyOf={({ id }) => id} />
          <LoadMore list={clients} />
        </Stack>
      )}
    </QueryState>
  );
}

/** Where it is too long for a phone it goes on below from its @ on. */
function Email({ address }: { readonly address: string }) {
  const at = address.lastIndexOf('@');
  return at === -1 ? (
    address
  ) : (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}
