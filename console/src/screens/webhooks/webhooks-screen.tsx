/** The webhooks of all keys. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormModal } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { ListScreen } from '../../components/list-screen.tsx';
import type { Column } from '../../components/table-list.tsx';
import { useAgo, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { eventNames } from '../events/event-names.ts';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const texts = strings.webhooks;

type Webhook = Answer<'listWebhooks'>['data'][number];

export function WebhooksScreen() {
  const [{ create: isCreating = false }, set] = useScreenSearch('/webhooks');
  const navigate = useNavigate();
  const webhooks = useWholeList('listWebhooks');
  const [created, setCreated] = useState<{ readonly id: number; readonly secret: string }>();

  const { dateTime } = useTimes();
  const ago = useAgo();
  const columns: readonly Column<Webhook>[] = [
    {
      name: texts.columns.target,
      sortBy: ({ targetUrl }) => texts.addressOf(targetUrl),
      cell: ({ id, targetUrl, description }) => (
        <>
          <RowLink to="/webhooks/$id" params={{ id: String(id) }}>
            {texts.addressOf(targetUrl)}
          </RowLink>
          {description && <DimmedText lineClamp={1}>{description}</DimmedText>}
        </>
      ),
    },
    {
      name: texts.columns.events,
      visibleFrom: 'md',
      cell: ({ events }) => (events.length === eventNames.length ? texts.allEvents : texts.eventCount(events.length)),
    },
    {
      name: texts.columns.last,
      visibleFrom: 'sm',
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
            <DimmedText size="xs" mt={4}>
              {texts.startedFailing(ago(state.failingSince))}
            </DimmedText>
          )}
        </>
      ),
    },
  ];
  const close = () => set({ create: undefined });
  return (
    <ListScreen screen="webhooks" texts={texts} query={webhooks} columns={columns} add={() => set({ create: true })}>
      <FormModal opened={isCreating} onClose={close} title={texts.createTitle} size="xl">
        <WebhookForm onCreated={setCreated} onClose={close} />
      </FormModal>
      {created && (
        <ShownSecret
          value={created.secret}
          onClose={() => {
            // The dialog closes at once, not after the next screen has loaded.
            setCreated(undefined);
            void navigate({ to: '/webhooks/$id', params: { id: String(created.id) } });
          }}
        />
      )}
    </ListScreen>
  );
}
