/** The keys of the business: who may do what, and how much each is used. */
import { Anchor, Button, Code, Modal, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useChange } from '../../api/hooks.ts';
import { count } from '../../format/numbers.ts';
import { useAgo, useTimes } from '../../format/times.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { Page } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, TableList } from '../../parts/table-list.tsx';
import { strings } from '../../strings/strings.ts';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyForm } from './key-form.tsx';
import { keyTones } from './key-tones.ts';
import { setOf } from './scope-sets.ts';
import { ShownKey } from './shown-key.tsx';

const texts = strings.apiKeys;
const route = getRouteApi('/api-keys');
const limit = 20;

type Key = Answer<'listApiKeys'>['data'][number];

export function ApiKeysScreen() {
  const { page = 1, key: openedKey } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useApi('listApiKeys', { page, limit }, { keepPrevious: true });
  const create = useChange('createApiKey');
  const [isCreating, setCreating] = useState(false);

  const { dateTime } = useTimes();
  const ago = useAgo();
  const columns: readonly Column<Key>[] = [
    {
      name: texts.columns.name,
      cell: ({ id, name, prefix }) => (
        <>
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
        </>
      ),
    },
    { name: texts.columns.may, from: 'md', cell: ({ scopes }) => permissions(scopes) },
    {
      name: texts.columns.lastUsed,
      from: 'md',
      cell: ({ lastUsedAt: last }) => (
        <span title={last ? dateTime(last) : undefined}>{last ? ago(last) : texts.neverUsed}</span>
      ),
    },
    {
      name: texts.columns.today,
      from: 'sm',
      atEnd: true,
      cell: ({ requestsToday }) => count(requestsToday),
    },
    {
      name: texts.columns.status,
      cell: ({ status }) => <StatusBadge tone={keyTones[status]} label={texts.statuses[status]} />,
    },
  ];

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
            <TableList label={strings.screens.apiKeys} columns={columns} entries={data} keyOf={({ id }) => id} />
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
          send={({ expiresAt, ...values }) => create.mutateAsync({ ...values, expiresAt: expiresAt ?? undefined })}
          onDone={() => setCreating(false)}
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

function permissions(scopes: Answer<'getApiKey'>['scopes']): string {
  const set = setOf(scopes);
  return set ? texts.sets[set].name : texts.scopeCount(scopes.length);
}
