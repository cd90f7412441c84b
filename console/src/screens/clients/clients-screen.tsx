/** The list of clients. */
import { Button, CloseButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Plus, SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApiList } from '../../api/hooks.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { CursorList } from '../../components/cursor-list.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Beside, ExportCsv } from '../../components/export-csv.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField, useSearchText } from '../../components/search-field.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { ClientForm } from './client-form.tsx';

const texts = strings.clients;
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
  const [{ search = '', add }, set] = useScreenSearch('/clients');
  const navigate = useNavigate();
  const text = useSearchText();
  const close = () => set({ add: undefined });
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={() => set({ add: true })}>
      {texts.create}
    </Button>
  );
  return (
    <Page
      title={strings.screens.clients}
      description={texts.intro}
      actions={
        <>
          <ExportCsv list="listClients" input={search ? { search } : {}} fileName="clients" columns={csvColumns} />
          {button}
        </>
      }
    >
      <SearchField
        text={text}
        label={texts.search}
        placeholder={texts.searchHint}
        rightSection={text.typed && <CloseButton aria-label={texts.clear} onClick={() => text.type('')} />}
        maxLength={200}
      />
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
      isFiltered={search !== ''}
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
