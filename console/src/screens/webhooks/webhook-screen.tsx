/** One webhook: health, recent deliveries, details and actions. */
import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CirclePower, Hourglass, Power, TriangleAlert } from 'lucide-react';
import type { Answer } from '../../api/call.ts';
import { type EntryOf, useApi, useApiList, useApiMutation } from '../../api/hooks.ts';
import { BackLink } from '../../components/back-link.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Section } from '../../components/section.tsx';
import { useAgo, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { DeliveryTable } from '../deliveries/delivery-table.tsx';
import { type Attempt, answerOf } from '../deliveries/outcome.tsx';
import { eventNames } from '../events/event-names.ts';
import { Health } from './health.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const texts = strings.webhooks;
const route = getRouteApi('/webhooks/$id');
const recentLimit = 10;
/** The page size and the maximum of pages in the search for the last attempt that was sent and failed. */
const [attemptsAtOnce, pagesSearched] = [100, 10];
/** The maximum of characters of a response that are shown. */
const shownLength = 200;

export function WebhookScreen() {
  const id = Number(route.useParams().id);
  const { dateTime } = useTimes();
  const webhook = useApi('getWebhook', { id });
  return (
    <Page
      title={webhook.data ? texts.addressOf(webhook.data.targetUrl) : strings.screens.webhooks}
      description={webhook.data?.description}
      back={<BackLink to="/webhooks" label={strings.screens.webhooks} />}
      actions={webhook.data && <WebhookStatus {...webhook.data} />}
    >
      <QueryState query={webhook}>
        {(found) => (
          <>
            <Trouble webhook={found} />
            {found.heldUntil && (
              <Alert color="blue" icon={<Hourglass />} title={texts.heldTitle(dateTime(found.heldUntil))}>
                {texts.heldText}
              </Alert>
            )}
            {found.feed && <Text>{texts.readThrough(found.feed.readThrough, found.feed.lastNumber)}</Text>}
            <WebhookActions webhook={found} />
            <Health id={id} />
            <Recent id={id} />
            <Details webhook={found} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

function Trouble({ webhook }: { readonly webhook: Answer<'getWebhook'> }) {
  const { id, status, consecutiveFailures, failingSince } = webhook;
  const { dateTime } = useTimes();
  const ago = useAgo();
  const reactivate = useApiMutation('updateWebhook');
  const attempts = useApiList(
    'listAllDeliveries',
    { webhookId: id, limit: attemptsAtOnce },
    {
      enabled: status !== 'active' || failingSince !== null,
      loadsWhile: ({ pages, entries }) => pages < pagesSearched && !entries.some(isSentAndFailed),
    },
  );
  const failed = attempts.data?.entries.find(isSentAndFailed);
  if (status === 'active' && failingSince === null) return null;
  const since = failingSince && texts.failingSince(dateTime(failingSince), ago(failingSince));
  if (status === 'active')
    return (
      <Alert color="yellow" icon={<TriangleAlert />} title={texts.failingTitle(consecutiveFailures)}>
        {since} {texts.failingText}
        {failed && <Reason attempt={failed} />}
      </Alert>
    );
  return (
    <Alert color="red" icon={<CirclePower />} title={texts.offTitle}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {since} {texts.offText}
        </Text>
        {failed && <Reason attempt={failed} />}
        <ErrorNotice error={reactivate.error} />
        <Button
          size="sm"
          leftSection={<Power size={16} />}
          loading={reactivate.isPending}
          onClick={() => reactivate.mutate({ id, status: 'active' }, { onSuccess: () => notify(texts.reactivated) })}
        >
          {texts.reactivate}
        </Button>
      </Stack>
    </Alert>
  );
}

/** After a webhook is disabled, newer attempts were not sent. */
const isSentAndFailed = ({ deliveryStatus, responseStatusCode, errorCode }: Attempt) =>
  deliveryStatus !== 'success' && (responseStatusCode > 0 || (errorCode !== null && errorCode !== 'webhook_disabled'));

/** Shows the last response of the receiver. */
function Reason({ attempt }: { readonly attempt: EntryOf<'listAllDeliveries'> }) {
  const { webhookId, deliveryId, responseBody } = attempt;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {`${texts.lastAnswer} ${answerOf(attempt)}`}
      {responseBody && <Code ml={6}>{responseBody.slice(0, shownLength)}</Code>}{' '}
      <AnchorLink size="sm" underline="always" to="/deliveries" search={{ webhookId, delivery: deliveryId }}>
        {texts.pingLook}
      </AnchorLink>
    </Text>
  );
}

function Recent({ id }: { readonly id: number }) {
  const recent = useApi('listAllDeliveries', { webhookId: id, groupBy: 'delivery', limit: recentLimit });
  return (
    <Section
      title={texts.recent}
      actions={
        <AnchorLink size="sm" to="/deliveries" search={{ webhookId: id }}>
          {texts.allDeliveries}
        </AnchorLink>
      }
      isPlain
    >
      <QueryState
        query={recent}
        isEmpty={({ data }) => data.length === 0}
        empty={<Text c="dimmed">{texts.healthNone}</Text>}
      >
        {({ data }) => <DeliveryTable deliveries={data} />}
      </QueryState>
    </Section>
  );
}

function Details({ webhook }: { readonly webhook: Answer<'getWebhook'> }) {
  const { dateTime, zone } = useTimes();
  const key = useApi('getApiKey', { id: webhook.apiKeyId });
  const { id, events, createdAt, apiKeyId } = webhook;
  const facts = [
    [strings.deliveries.id, <Code key="id">{id}</Code>],
    [
      texts.apiKeyId,
      <AnchorLink key="key" size="sm" to="/api-keys" search={{ key: apiKeyId }}>
        {key.data?.name ?? apiKeyId}
      </AnchorLink>,
    ],
    [strings.deliveries.happened, `${dateTime(createdAt)} (${zone})`],
    [
      texts.events,
      events.length === eventNames.length ? (
        texts.allEvents
      ) : (
        <Group key="events" gap={6}>
          {events.map((name) => (
            <Badge key={name} color="gray" variant="light" c="var(--mantine-color-text)" fw={500}>
              {name}
            </Badge>
          ))}
        </Group>
      ),
    ],
  ] as const;
  return (
    <Section title={strings.app.details}>
      <FactList facts={facts} />
    </Section>
  );
}
