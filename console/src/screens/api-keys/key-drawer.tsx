/** One API key: permissions, usage and actions. */
import { Button, Code, Drawer, Group, List, Select, Stack } from '@mantine/core';
import { Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { AddressOff } from '../../components/address-off.tsx';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { FormModal } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { notify } from '../../components/notify.tsx';
import { Plot } from '../../components/plot.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { ZoneNote } from '../../components/zone-note.tsx';
import { count } from '../../format/numbers.ts';
import { shortDay, useAgo, useTimes } from '../../format/times.ts';
import { sendsMail } from '../../session/config.ts';
import { strings } from '../../strings/strings.ts';
import { KeyForm } from './key-form.tsx';
import { KeyStatus } from './key-status.tsx';
import { ShownKey } from './shown-key.tsx';

const texts = strings.apiKeys;

export function KeyDrawer({ id, onClose }: { readonly id: number | undefined; onClose(): void }) {
  const key = useApi(
    'getApiKey',
    { id: id ?? 0 },
    { enabled: id !== undefined, refetchInterval: ({ state: { data } }) => data?.previous != null && 5_000 },
  );
  return (
    <Drawer opened={id !== undefined} onClose={onClose} title={key.data?.name ?? texts.shownLabel} size="lg">
      <QueryState query={key}>{(found) => <KeyDetails apiKey={found} />}</QueryState>
    </Drawer>
  );
}

interface KeyDetailsProps {
  readonly apiKey: Answer<'getApiKey'>;
}

function KeyDetails({ apiKey }: KeyDetailsProps) {
  const { dateTime } = useTimes();
  const ago = useAgo();
  const webhooks = useApi('listWebhooks', { apiKeyId: apiKey.id, limit: 1 });
  const { id, prefix, status, scopes, allowedOrigins, contactEmail, expiresAt, createdAt, lastUsedAt, previous } =
    apiKey;
  const facts = [
    [texts.columns.status, <KeyStatus key="status" status={status} />],
    [texts.prefix, <Code key="prefix">{prefix}…</Code>],
    [texts.created, dateTime(createdAt)],
    [texts.columns.lastUsed, lastUsedAt ? ago(lastUsedAt) : texts.neverUsed],
    [texts.expiry, expiresAt ? dateTime(expiresAt) : texts.expiries.never],
    [texts.oldValue, previous && texts.oldValueUse(dateTime(previous.worksUntil), count(previous.requests))],
    [texts.allowedOrigins, allowedOrigins.join(', ') || texts.noOrigins],
    [strings.settings.notices, sendsMail() && (contactEmail ?? texts.contactEmailNone)],
    [
      strings.screens.webhooks,
      <AnchorLink key="webhooks" size="sm" to="/webhooks">
        {texts.webhooksOf(webhooks.data?.total ?? 0)}
      </AnchorLink>,
    ],
    [
      texts.columns.permissions,
      <List key="permissions" size="sm">
        {scopes.map((scope) => (
          <List.Item key={scope}>{texts.scopes[scope]}</List.Item>
        ))}
      </List>,
    ],
  ] as const;
  return (
    <Stack gap="xl">
      {status === 'active' && <KeyActions apiKey={apiKey} webhooks={webhooks.data?.total ?? 0} />}
      <AddressOff
        address={contactEmail}
        off={apiKey.contactEmailOff}
        operation="updateApiKey"
        input={{ id, contactEmail }}
      />
      <Use id={id} />
      <FactList facts={facts} />
      <ZoneNote />
    </Stack>
  );
}

function Use({ id }: { readonly id: number }) {
  const use = useApi('getApiKeyUse', { id });
  return (
    <QueryState query={use}>
      {({ data }) => {
        const total = data.reduce((sum, { requests }) => sum + requests, 0);
        const busiest = Math.max(...data.map(({ requests }) => requests));
        return (
          <Plot
            title={texts.use}
            summary={total === 0 ? texts.requestsNone : texts.requestsSummary(count(total), count(busiest))}
            data={data.map(({ date, requests }) => ({ at: shortDay(date), requests }))}
            series={[{ name: 'requests', label: strings.screens.requests, color: 'teal.6' }]}
          />
        );
      }}
    </QueryState>
  );
}

const overlaps = ['0', '1', '8', '24'] as const;

function KeyActions({ apiKey, webhooks }: KeyDetailsProps & { readonly webhooks: number }) {
  const { id, name, requestsToday, lastUsedAt } = apiKey;
  const [doing, setDoing] = useState<'change' | 'regenerate' | 'revoke'>();
  const regenerate = useApiMutation('regenerateApiKey');
  const stop = () => setDoing(undefined);
  const revoke = useApiMutation('revokeApiKey', {
    onSuccess: () => {
      stop();
      notify(texts.revoked);
    },
  });
  const [overlap, setOverlap] = useState('0');
  return (
    <Group gap="sm">
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={() => setDoing('change')}>
        {strings.app.edit}
      </Button>
      <Button variant="default" leftSection={<RefreshCw size={16} />} onClick={() => setDoing('regenerate')}>
        {texts.regenerate}
      </Button>
      <Button variant="light" color="red" leftSection={<Trash2 size={16} />} onClick={() => setDoing('revoke')}>
        {texts.revoke}
      </Button>
      <FormModal opened={doing === 'change'} onClose={stop} title={texts.changeTitle} size="lg">
        <KeyForm apiKey={apiKey} onClose={stop} />
      </FormModal>
      <ConfirmAction
        opened={doing === 'regenerate'}
        title={texts.regenerateTitle}
        description={texts.regenerateText(name)}
        consequences={texts.regenerateConsequences}
        choice={
          <Select
            label={texts.overlap}
            description={overlap === '0' ? texts.overlapNow : texts.overlapLater}
            data={overlaps.map((value) => ({ value, label: texts.overlaps[value] }))}
            value={overlap}
            onChange={(value) => setOverlap(value ?? '0')}
            allowDeselect={false}
          />
        }
        verb={texts.regenerateVerb}
        mutation={regenerate}
        undecided={texts.maybeRegenerated}
        onConfirm={() => regenerate.mutate({ id, overlapHours: Number(overlap) }, { onSuccess: stop })}
        onClose={stop}
      />
      {regenerate.data && <ShownKey value={regenerate.data} onClose={regenerate.reset} />}
      <ConfirmAction
        opened={doing === 'revoke'}
        title={texts.revokeTitle}
        description={texts.revokeText(name)}
        consequences={[
          lastUsedAt ? texts.revokeRequests(count(requestsToday)) : texts.revokeUnused,
          texts.revokeWebhooks(webhooks),
        ]}
        verb={texts.revokeVerb}
        mutation={revoke}
        onConfirm={() => revoke.mutate({ id })}
        onClose={stop}
      />
    </Group>
  );
}
