/** The list of clients. */
import { Button, CloseButton, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, Search, SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApiList } from '../../api/hooks.ts';
import { CursorList } from '../../components/cursor-list.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Beside, ExportCsv } from '../../components/export-csv.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { useDebouncedSearch } from '../../components/use-debounced-search.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { ClientForm } from './client-form.tsx';

const texts = strings.clients;
const route = getRouteApi('/clients');
const limit = 25;

type Client = Answer<'getClient'>;

const csvColumns = {
  id: ({ id }: Client) => id,
  name: ({ name }: Client) => name,
  phone: ({ phone }: Client) => phone,
  email: ({ email }: Client) => email,
  createdAt: ({ createdAt }: Client, { time }: Beside) => time(createdAt),
  erasedAt: ({ erasedAt }: Client, { time }: Beside) => time(erasedAt),
};

export function ClientsScreen() {
  const { search = '', add } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useDebouncedSearch(search, (words) =>
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
    <Page title={strings.screens.clients} description={texts.intro} actions={button}>
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
      <ExportCsv list="listClients" input={search ? { search } : {}} fileName="clients" columns={csvColumns} />
      <ClientList search={search} add={button} />
      <FormDrawer opened={add === true} title={texts.createTitle} onClose={close}>
        <ClientForm
          onClose={close}
          onDone={({ id }) => void navigate({ to: '/clients/$clientId', params: { clientId: String(id) } })}
        />
      </FormDrawer>
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
          <RowLink fs={erasedAt ? 'italic' : undefined} to="/clients/$clientId" params={{ clientId: String(id) }}>
            {erasedAt ? texts.erased : name}
          </RowLink>
          <DimmedText hiddenFrom="sm">{phone ?? <Email address={email ?? ''} />}</DimmedText>
        </>
      ),
    },
    { name: texts.columns.phone, visibleFrom: 'sm', cell: ({ phone }) => <span className="one-line">{phone}</span> },
    { name: texts.columns.email, visibleFrom: 'md', cell: ({ email }) => <Email address={email ?? ''} /> },
    { name: texts.columns.since, isNumeric: true, cell: ({ createdAt }) => calendarDate(createdAt) },
  ];
  return (
    <CursorList
      list={clients}
      empty={
        search ? (
          <EmptyState icon={SearchX} title={texts.noneFound} hint={texts.noneFoundHint} />
        ) : (
          <EmptyState icon={Users} title={texts.emptyTitle} hint={texts.emptyHint}>
            {add}
          </EmptyState>
        )
      }
    >
      {(entries) => (
        <TableList label={strings.screens.clients} columns={columns} entries={entries} keyOf={({ id }) => id} />
      )}
    </CursorList>
  );
}

/** An address that is too long for its line breaks before the @. A part breaks only if it is longer than a line. */
function Email({ address }: { readonly address: string }) {
  return address.split(/(?=@)/).map((part) => (
    <span key={part} style={{ display: 'inline-block' }}>
      {part}
    </span>
  ));
}
