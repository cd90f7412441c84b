/** The API keys of the business. */
import { Code } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormModal } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { ListScreen } from '../../components/list-screen.tsx';
import type { Column } from '../../components/table-list.tsx';
import { count } from '../../format/numbers.ts';
import { useAgo, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import type { NewKey } from './first-request.ts';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyStatus } from './key-status.tsx';
import { setOf } from './scope-sets.ts';
import { ShownKey } from './shown-key.tsx';

const texts = strings.apiKeys;

type Key = Answer<'listApiKeys'>['data'][number];

export function ApiKeysScreen() {
  const [{ key: openedKey }, set] = useScreenSearch('/api-keys');
  const keys = useWholeList('listApiKeys');
  const [isCreating, setCreating] = useState(false);
  const [value, setValue] = useState<NewKey>();

  const { dateTime } = useTimes();
  const ago = useAgo();
  const columns: readonly Column<Key>[] = [
    {
      name: texts.name,
      sortBy: ({ name }) => name,
      cell: ({ id, name, prefix }) => (
        <>
          <RowLink to="/api-keys" search={(old) => ({ ...old, key: id })} resetScroll={false}>
            {name}
          </RowLink>
          <DimmedText>
            <Code>{prefix}…</Code>
          </DimmedText>
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
    { name: texts.columns.status, cell: ({ status }) => <KeyStatus status={status} /> },
  ];

  return (
    <ListScreen screen="apiKeys" texts={texts} query={keys} columns={columns} add={() => setCreating(true)}>
      <FormModal opened={isCreating} onClose={() => setCreating(false)} title={texts.createTitle} size="lg">
        <KeyForm onCreated={setValue} onClose={() => setCreating(false)} />
      </FormModal>
      {value !== undefined && <ShownKey value={value} onClose={() => setValue(undefined)} />}
      <KeyDrawer id={openedKey} onClose={() => set({ key: undefined })} />
    </ListScreen>
  );
}

function permissions(scopes: Answer<'getApiKey'>['scopes']): string {
  const set = setOf(scopes);
  return set ? texts.sets[set].name : texts.scopeCount(scopes.length);
}
