/** The API keys of the business. */
import { Anchor, Button, Code, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormModal } from '../../components/form-frame.tsx';
import { Page } from '../../components/page.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { count } from '../../format/numbers.ts';
import { useAgo, useTimes } from '../../format/times.ts';
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
  const [isCreating, setCreating] = useState(false);
  const [value, setValue] = useState<string>();

  const { dateTime } = useTimes();
  const ago = useAgo();
  const columns: readonly Column<Key>[] = [
    {
      name: texts.columns.name,
      sortBy: ({ name }) => name,
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
    { name: texts.columns.permissions, visibleFrom: 'md', cell: ({ scopes }) => permissions(scopes) },
    {
      name: texts.columns.lastUsed,
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
      visibleFrom: 'md',
      cell: ({ lastUsedAt: last }) => (
        <span title={last ? dateTime(last) : undefined}>{last ? ago(last) : texts.neverUsed}</span>
      ),
    },
    {
      name: texts.columns.today,
      sortBy: ({ requestsToday }) => requestsToday,
      visibleFrom: 'sm',
      isNumeric: true,
      cell: ({ requestsToday }) => count(requestsToday),
    },
    {
      name: texts.columns.status,
      cell: ({ status }) => <StatusBadge tone={keyTones[status]} label={texts.statuses[status]} />,
    },
  ];

  const button = (
    <Button leftSection={<Plus size={18} />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={strings.screens.apiKeys} description={texts.intro} actions={button}>
      <QueryState
        query={keys}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState icon={KeyRound} title={texts.emptyTitle} hint={texts.emptyHint}>
            {button}
          </EmptyState>
        }
      >
        {({ data, total }) => (
          <>
            <TableList
              label={strings.screens.apiKeys}
              columns={columns}
              entries={data}
              keyOf={({ id }) => id}
              isWhole={total <= limit}
            />
            <Pagination
              page={page}
              total={total}
              limit={limit}
              onChange={(next) => void navigate({ search: { page: next } })}
            />
          </>
        )}
      </QueryState>
      <FormModal opened={isCreating} onClose={() => setCreating(false)} title={texts.createTitle} size="lg">
        <KeyForm
          onSuccess={(created) => {
            setValue(created);
            setCreating(false);
          }}
          onClose={() => setCreating(false)}
        />
      </FormModal>
      {value !== undefined && <ShownKey value={value} onClose={() => setValue(undefined)} />}
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
