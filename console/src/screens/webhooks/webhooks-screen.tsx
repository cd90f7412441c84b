/** The webhooks of all keys: where each sends to, and whether it arrives. */
import { Anchor, Button, Modal, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useChange } from '../../api/hooks.ts';
import { useAgo, useTimes } from '../../format/times.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { Page } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { type Column, TableList } from '../../parts/table-list.tsx';
import { strings } from '../../strings/strings.ts';
import { eventNames } from '../events/event-names.ts';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const texts = strings.webhooks;
const route = getRouteApi('/webhooks');
const limit = 20;

type Webhook = Answer<'listWebhooks'>['data'][number];

export function WebhooksScreen() {
  const { page = 1, create: isCreating = false } = route.useSearch();
  const navigate = route.useNavigate();
  const webhooks = useApi('listWebhooks', { page, limit }, { keepPrevious: true });
  const create = useChange('createWebhook');
  const [made, setMade] = useState<{ readonly id: number; readonly secret: string }>();

  const { dateTime } = useTimes();
  const ago = useAgo();
  const columns: readonly Column<Webhook>[] = [
    {
      name: texts.columns.target,
      cell: ({ id, targetUrl, description }) => (
        <>
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
            <Text size="sm" c="dimmed" lineClamp={1}>
              {description}
            </Text>
          )}
        </>
      ),
    },
    {
      name: texts.columns.events,
      from: 'md',
      cell: ({ events }) => (events.length === eventNames.length ? texts.allEvents : texts.eventCount(events.length)),
    },
    {
      name: texts.columns.last,
      from: 'sm',
      cell: ({ lastTriggeredAt: last }) => (
        <span title={last ? dateTime(last) : undefined}>{last ? ago(last) : texts.neverSent}</span>
      ),
    },
    {
      name: texts.columns.status,
      cell: (state) => (
        <>
          <WebhookStatus {...state} />
          {state.failingSince && (
            <Text size="xs" c="dimmed" mt={4}>
              {texts.since(ago(state.failingSince))}
            </Text>
          )}
        </>
      ),
    },
  ];

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
          <Nothing icon={WebhookIcon} title={texts.emptyTitle} hint={texts.emptyHint}>
            {button}
          </Nothing>
        }
      >
        {({ data, total }) => (
          <>
            <TableList label={strings.screens.webhooks} columns={columns} entries={data} keyOf={({ id }) => id} />
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
          send={async (values) => {
            const { id, secret } = await create.mutateAsync(values);
            setMade({ id, secret });
          }}
          onDone={() => setCreating(false)}
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
