/** The webhooks of all keys: where each sends to, and whether it arrives. */
import { Anchor, Button, Modal, Paper, Table, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useChange } from '../../api/hooks.ts';
import { ago, useTimes } from '../../format/times.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { Page } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { strings } from '../../strings/strings.ts';
import { eventNames } from '../events/event-names.ts';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const texts = strings.webhooks;
const route = getRouteApi('/webhooks');
const limit = 20;

export function WebhooksScreen() {
  const { page = 1, create: isCreating = false } = route.useSearch();
  const navigate = route.useNavigate();
  const webhooks = useApi('listWebhooks', { page, limit }, { keepPrevious: true });
  const create = useChange('createWebhook');
  const [made, setMade] = useState<{ readonly id: number; readonly secret: string }>();

  const setCreating = (next: boolean) => {
    create.reset();
    void navigate({ search: (old) => ({ ...old, create: next || undefined }), resetScroll: false });
  };
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={strings.screens.webhooks} about={texts.about} actions={button}>
      <QueryState
        query={webhooks}
        isEmpty={({ total }) => total === 0}
        empty={
          <Nothing icon={Webhook} title={texts.emptyTitle} hint={texts.emptyHint}>
            {button}
          </Nothing>
        }
      >
        {({ data, total }) => (
          <>
            <Paper p={0}>
              <WebhookTable webhooks={data} />
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
      <Modal opened={isCreating} onClose={() => setCreating(false)} title={texts.createTitle} size="xl">
        <WebhookForm
          verb={texts.create}
          isPending={create.isPending}
          error={create.error}
          onSubmit={(values) =>
            create.mutate(values, {
              onSuccess: ({ id, secret }) => {
                setMade({ id, secret });
                setCreating(false);
              },
            })
          }
          onClose={() => setCreating(false)}
        />
      </Modal>
      {made && (
        <ShownSecret
          value={made.secret}
          onClose={() => {
            // At once, and not when the next screen has been loaded.
            setMade(undefined);
            void navigate({ to: '/webhooks/$id', params: { id: String(made.id) } });
          }}
        />
      )}
    </Page>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: Answer<'listWebhooks'>['data'] }) {
  const { dateTime } = useTimes();
  return (
    <Table highlightOnHover layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.target}</Table.Th>
          <Table.Th visibleFrom="md" w={130}>
            {texts.columns.events}
          </Table.Th>
          <Table.Th visibleFrom="sm" w={150}>
            {texts.columns.last}
          </Table.Th>
          <Table.Th w={160}>{texts.columns.status}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map(({ id, targetUrl, description, events, lastTriggeredAt, ...state }) => (
          <Table.Tr key={id} className="row-link-row">
            <Table.Td>
              <Anchor
                className="row-link"
                size="sm"
                fw={600}
                style={{ overflowWrap: 'anywhere' }}
                renderRoot={(props) => <Link to="/webhooks/$id" params={{ id: String(id) }} {...props} />}
              >
                {targetUrl}
              </Anchor>
              {description && (
                <Text size="sm" c="dimmed" truncate>
                  {description}
                </Text>
              )}
            </Table.Td>
            <Table.Td visibleFrom="md">
              {events.length === eventNames.length ? texts.allEvents : texts.eventCount(events.length)}
            </Table.Td>
            <Table.Td visibleFrom="sm" title={lastTriggeredAt ? dateTime(lastTriggeredAt) : undefined}>
              {lastTriggeredAt ? ago(lastTriggeredAt) : texts.neverSent}
            </Table.Td>
            <Table.Td>
              <WebhookStatus {...state} />
              {state.failingSince && (
                <Text size="xs" c="dimmed" mt={4}>
                  {texts.since(ago(state.failingSince))}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
