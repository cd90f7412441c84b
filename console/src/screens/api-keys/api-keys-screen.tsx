/** The keys of the business: who may do what, and how much each is used. */
import { Anchor, Button, Code, Modal, Paper, Table, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useChange } from '../../api/hooks.ts';
import { count } from '../../format/numbers.ts';
import { ago, useTimes } from '../../format/times.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { Page } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { strings } from '../../strings/strings.ts';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyForm } from './key-form.tsx';
import { keyTones } from './key-tones.ts';
import { setOf } from './scope-sets.ts';
import { ShownKey } from './shown-key.tsx';

const texts = strings.apiKeys;
const route = getRouteApi('/api-keys');
const limit = 20;

export function ApiKeysScreen() {
  const { page = 1, key: openedKey } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useApi('listApiKeys', { page, limit }, { keepPrevious: true });
  const create = useChange('createApiKey');
  const [isCreating, setCreating] = useState(false);

  const openForm = () => {
    create.reset();
    setCreating(true);
  };
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={openForm}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={strings.screens.apiKeys} about={texts.about} actions={button}>
      <QueryState
        query={keys}
        isEmpty={({ total }) => total === 0}
        empty={
          <Nothing icon={KeyRound} title={texts.emptyTitle} hint={texts.emptyHint}>
            {button}
          </Nothing>
        }
      >
        {({ data, total }) => (
          <>
            <Paper p={0}>
              <KeyTable keys={data} />
            </Paper>
            <Pages
              page={page}
              total={total}
              limit={limit}
              onChange={(next) => void navigate({ search: { page: next } })}
            />
          </>
        )}
      </QueryState>
      <Modal opened={isCreating} onClose={() => setCreating(false)} title={texts.createTitle} size="lg">
        <KeyForm
          verb={texts.create}
          isPending={create.isPending}
          error={create.error}
          onSubmit={({ expiresAt, ...values }) =>
            create.mutate({ ...values, expiresAt: expiresAt ?? undefined }, { onSuccess: () => setCreating(false) })
          }
          onClose={() => setCreating(false)}
        />
      </Modal>
      {create.data && !isCreating && <ShownKey value={create.data.key} onClose={create.reset} />}
      <KeyDrawer
        id={openedKey}
        onClose={() => void navigate({ search: ({ key: _, ...rest }) => rest, resetScroll: false })}
      />
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: Answer<'listApiKeys'>['data'] }) {
  const { dateTime } = useTimes();
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.may}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.lastUsed}</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            {texts.columns.today}
          </Table.Th>
          <Table.Th>{texts.columns.status}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map(({ id, name, prefix, status, scopes, lastUsedAt, requestsToday }) => (
          <Table.Tr key={id} className="row-link-row">
            <Table.Td>
              <Anchor
                className="row-link"
                fw={600}
                size="sm"
                renderRoot={(props) => (
                  <Link to="/api-keys" search={(old) => ({ ...old, key: id })} resetScroll={false} {...props} />
                )}
              >
                {name}
              </Anchor>
              <Text size="sm" c="dimmed">
                <Code>{prefix}…</Code>
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="md">{permissions(scopes)}</Table.Td>
            <Table.Td visibleFrom="md" title={lastUsedAt ? dateTime(lastUsedAt) : undefined}>
              {lastUsedAt ? ago(lastUsedAt) : texts.neverUsed}
            </Table.Td>
            <Table.Td visibleFrom="sm" ta="right">
              {count(requestsToday)}
            </Table.Td>
            <Table.Td>
              <StatusBadge tone={keyTones[status]} label={texts.statuses[status]} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function permissions(scopes: Answer<'getApiKey'>['scopes']): string {
  const set = setOf(scopes);
  return set ? texts.sets[set].name : texts.scopeCount(scopes.length);
}
