/** One delivery: the message and its attempts. */
import { Button, Code, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import { Check, ChevronLeft, ChevronRight, Clock, RotateCcw, X } from 'lucide-react';
import type { Answer } from '../../api/call.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { CodeBlock, pretty } from '../../components/code-block.tsx';
import { CopyTextButton } from '../../components/copy-text-button.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { inEnglish } from '../../components/error-text.ts';
import { FactList } from '../../components/fact-list.tsx';
import { FormDrawer, useWait } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { RequestLink } from '../../components/request-link.tsx';
import { ZoneNote } from '../../components/zone-note.tsx';
import { useNow } from '../../format/clock.ts';
import { ago, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { curlOf } from './curl.ts';
import { type Attempt, answerOf, isRefusal, Outcome } from './outcome.tsx';

const texts = strings.deliveries;
/** The poll interval while an attempt is pending. */
const pollMs = 2_000;
/** The poll interval while retries are scheduled. */
const retryingPollMs = 15_000;

interface DeliveryDrawerProps {
  readonly deliveryId: string | undefined;
  readonly targets: ReadonlyMap<number, string>;
  /** The disabled webhooks. */
  readonly off: readonly number[] | undefined;
  /** These open the previous and the next delivery of the list. Undefined if there is none. */
  readonly newer: (() => void) | undefined;
  readonly older: (() => void) | undefined;
  onClose(): void;
}

export function DeliveryDrawer({ deliveryId, targets, off, newer, older, onClose }: DeliveryDrawerProps) {
  const delivery = useApi(
    'getDelivery',
    { deliveryId: deliveryId ?? '' },
    {
      enabled: deliveryId !== undefined,
      refetchInterval: ({ state: { data } }) =>
        data?.deliveryStatus === 'pending' ? pollMs : data?.deliveryStatus === 'retrying' && retryingPollMs,
    },
  );
  return (
    <FormDrawer opened={deliveryId !== undefined} onClose={onClose} title={texts.title} size="xl" isForm={false}>
      <Group gap="xs" mb="md">
        {(
          [
            [texts.newer, newer, ChevronLeft],
            [texts.older, older, ChevronRight],
          ] as const
        ).map(([label, go, Arrow]) => (
          <Button key={label} size="xs" variant="default" disabled={!go} onClick={go} leftSection={<Arrow size={14} />}>
            {label}
          </Button>
        ))}
      </Group>
      <QueryState query={delivery}>
        {(found) => (
          <DeliveryDetails
            key={found.deliveryId}
            delivery={found}
            target={targets.get(found.webhookId)}
            isOff={off?.includes(found.webhookId) ?? false}
          />
        )}
      </QueryState>
    </FormDrawer>
  );
}

interface DetailsProps {
  readonly delivery: Answer<'getDelivery'>;
  /** Empty for a feed, which is read. Undefined for a deleted webhook. */
  readonly target: string | undefined;
  /** Whether the webhook is disabled. */
  readonly isOff: boolean;
}

function DeliveryDetails({ delivery, target, isOff }: DetailsProps) {
  const { exact } = useTimes();
  const redeliver = useApiMutation('redeliver');
  useWait(redeliver.isSending);
  const { deliveryId, webhookId, event, deliveryStatus, createdAt, message, attempts } = delivery;
  // The attempt that was requested here.
  const sent = redeliver.data && (attempts.find(({ id }) => id === redeliver.data.id) ?? redeliver.data);
  const facts = [
    [texts.columns.status, <Outcome key="status" status={deliveryStatus} />],
    [texts.columns.event, <Code key="event">{event}</Code>],
    [
      texts.columns.webhook,
      <AnchorLink
        key="webhook"
        size="sm"
        style={{ overflowWrap: 'anywhere' }}
        to="/webhooks/$id"
        params={{ id: String(webhookId) }}
      >
        {target === undefined ? webhookId : strings.webhooks.addressOf(target)}
      </AnchorLink>,
    ],
    [texts.id, <Code key="id">{deliveryId}</Code>],
    [texts.happened, exact(createdAt)],
  ] as const;
  return (
    <Stack gap="lg">
      <FactList facts={facts} />
      <ErrorNotice error={redeliver.error} />
      {deliveryStatus === 'retrying' && <NextAttempt attempt={attempts.at(-1)} />}
      {event !== 'ping' && target !== '' && deliveryStatus !== 'retrying' && (deliveryStatus !== 'pending' || sent) && (
        <Group>
          {isOff && <Text size="sm">{texts.redeliverOff}</Text>}
          <Button
            variant="default"
            leftSection={<RotateCcw size={16} />}
            disabled={isOff}
            loading={redeliver.isPending || (sent && deliveryStatus === 'pending')}
            onClick={() => redeliver.mutate({ id: webhookId, deliveryId })}
          >
            {texts.redeliver}
          </Button>
          <Group gap="xs" role="status">
            {sent && (
              <>
                <Outcome status={sent.deliveryStatus} />
                <Text size="sm">{answerOf(sent)}</Text>
              </>
            )}
          </Group>
        </Group>
      )}
      <Title order={3}>{texts.attempts}</Title>
      <Attempts attempts={attempts} />
      <Group justify="space-between">
        <Title order={3}>{texts.message}</Title>
        {target && (
          <CopyTextButton value={curlOf(target, message)} label={texts.copyCurl} size="xs" variant="default" />
        )}
      </Group>
      <CodeBlock label={texts.body} text={pretty(message.body)} />
      <Text fw={600} size="sm">
        {texts.headers}
      </Text>
      <CodeBlock
        label={texts.headers}
        text={Object.entries(message.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      />
      <ZoneNote />
    </Stack>
  );
}

/** The next attempt instead of the button: only an ended delivery can be sent again (docs/rules.md#redelivery). */
function NextAttempt({ attempt }: { readonly attempt: Attempt | undefined }) {
  const { exact } = useTimes();
  const now = useNow();
  const due = attempt?.nextAttemptAt;
  return (
    <Group gap="sm" wrap="nowrap" role="note">
      <Clock size={18} aria-hidden style={{ flexShrink: 0 }} />
      <Text size="sm">
        {due && Date.parse(due) - now >= 60_000 ? texts.nextAt(ago(due, now), exact(due)) : texts.nextSoon}{' '}
        {texts.redeliverLater}
      </Text>
    </Group>
  );
}

const bullets = { success: Check, failed: X, retrying: X, pending: Clock } as const;
const colors = { success: 'green', failed: 'red', retrying: 'yellow', pending: 'gray' } as const;

/** Lists the attempts, newest first. */
function Attempts({ attempts }: Pick<Answer<'getDelivery'>, 'attempts'>) {
  const { exact } = useTimes();
  const now = useNow();
  return (
    <Timeline bulletSize={24} lineWidth={2} active={attempts.length}>
      {attempts.toReversed().map((attempt) => {
        const Bullet = bullets[attempt.deliveryStatus];
        const { id, attemptNumber, trigger, deliveryStatus, sentAt, createdAt, nextAttemptAt } = attempt;
        return (
          <Timeline.Item
            key={id}
            color={colors[deliveryStatus]}
            bullet={<Bullet size={14} />}
            title={`${texts.attempt(attemptNumber)}, ${texts.triggers[trigger]}: ${answerOf(attempt)}`}
          >
            <Stack gap={6}>
              <DimmedText>
                {exact(sentAt ?? createdAt)}
                {nextAttemptAt && Date.parse(nextAttemptAt) > now && ` · ${nextIs(attempt, nextAttemptAt, now, exact)}`}
              </DimmedText>
              {attempt.requestId && (
                <DimmedText size="xs">
                  {strings.app.requestId} <RequestLink requestId={attempt.requestId} />
                </DimmedText>
              )}
              {attempt.errorMessage && attempt.responseStatusCode === 0 && (
                <Text size="sm">{inEnglish(attempt.errorMessage)}</Text>
              )}
              {isRefusal(attempt.responseStatusCode) && <Text size="sm">{texts.refused}</Text>}
              {attempt.responseBody && (
                <>
                  <Text size="sm" fw={600}>
                    {texts.response}
                  </Text>
                  <CodeBlock label={`${texts.response}, ${texts.attempt(attemptNumber)}`} text={attempt.responseBody} />
                </>
              )}
            </Stack>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function nextIs(
  { deliveryStatus }: Pick<Attempt, 'deliveryStatus'>,
  nextAttemptAt: string,
  now: number,
  exact: (instant: string) => string,
): string {
  if (deliveryStatus === 'pending') return texts.heldUntil(exact(nextAttemptAt));
  const due = Date.parse(nextAttemptAt);
  return due - now < 60_000 ? texts.nextSoon : texts.next(ago(due, now));
}
