/** The audit log: who changed what. */
import { Text } from '@mantine/core';
import { History } from 'lucide-react';
import type { Answer } from '../../api/call.ts';
import { useApi, useApiList, useWholeList } from '../../api/hooks.ts';
import { CursorList } from '../../components/cursor-list.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { RequestLink } from '../../components/request-link.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { strings } from '../../strings/strings.ts';
import { eventOfOperation } from './event-of-operation.ts';

const texts = strings.audit;

type Entry = Answer<'listAudit'>['data'][number];

export function AuditScreen() {
  const me = useApi('getMe', undefined);
  const keys = useWholeList('listApiKeys');
  const list = useApiList('listAudit', { limit: 50 });
  const who = ({ keyId, ownerId }: Entry) => {
    if (keyId !== null) return keys.data?.data.find(({ id }) => id === keyId)?.name ?? texts.key(keyId);
    if (ownerId === null) return texts.link;
    if (ownerId === 'operator') return texts.support;
    return ownerId === me.data?.subject ? texts.you : texts.owner;
  };
  const columns: readonly Column<Entry>[] = [
    { name: texts.columns.when, cell: ({ at }) => <DateTime at={at} /> },
    { name: texts.columns.who, visibleFrom: 'sm', isFolded: true, cell: who },
    {
      name: texts.columns.what,
      cell: ({ operation, resourceId }) => (
        <>
          {labelOf(operation)}
          {resourceId !== null && (
            <Text span size="sm" c="dimmed">
              {` ${resourceId}`}
            </Text>
          )}
        </>
      ),
    },
    { name: texts.columns.fields, visibleFrom: 'md', cell: ({ fields }) => fields.join(', ') },
    {
      name: strings.app.requestId,
      visibleFrom: 'lg',
      cell: ({ requestId, keyId }) => requestId && keyId !== null && <RequestLink requestId={requestId} />,
    },
  ];
  return (
    <Page title={strings.screens.audit} description={texts.intro}>
      <CursorList list={list} empty={<EmptyState icon={History} title={texts.emptyTitle} hint={texts.emptyHint} />}>
        {(entries) => (
          <TableList label={strings.screens.audit} columns={columns} entries={entries} keyOf={({ id }) => id} />
        )}
      </CursorList>
    </Page>
  );
}

/** Both APIs have the same operations. An operation without a label is shown with its name in the API. */
function labelOf(operation: string): string {
  const [method = '', path = ''] = operation.split(' ');
  const short = `${method} ${path.replace(/^\/v1\/\w+/, '')}`;
  const event = eventOfOperation[short];
  return event ? strings.events.names[event] : ((texts.operations as Readonly<Record<string, string>>)[short] ?? short);
}
