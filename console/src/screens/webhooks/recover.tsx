/** Sends the failed messages of a period again, and shows the progress. */
import { Alert, Anchor, Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { now } from '../../format/clock.ts';
import { count } from '../../format/numbers.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.webhooks;
const hours = ['1', '24', '168', '720'] as const;
const hourMs = 3_600_000;
const pollMs = 1_500;
const listedAttempts = 100;

export function Recover({ id }: { readonly id: number }) {
  const recover = useApiMutation('recoverWebhook');
  const [period, setPeriod] = useState<string>('24');
  const [began, setBegan] = useState<string>();
  const begin = () => {
    const at = now();
    recover.mutate(
      { id, since: new Date(at - Number(period) * hourMs).toISOString() },
      { onSuccess: () => setBegan(new Date(at).toISOString()) },
    );
  };
  const wait = recover.error?.code === 'recovery_in_progress' ? recover.error.retryAfterSeconds : undefined;
  return (
    <Stack>
      <Text size="sm">{texts.recoverText}</Text>
      <Select
        label={texts.recoverSince}
        allowDeselect={false}
        data={hours.map((value) => ({ value, label: texts.recoverPeriods[value] }))}
        value={period}
        onChange={(value) => setPeriod(value ?? '24')}
      />
      <ErrorNotice error={recover.error} />
      {wait !== undefined && <Text size="sm">{texts.recoverWait(wait)}</Text>}
      {recover.data && began && <Progressing id={id} matched={recover.data.matched} began={began} />}
      {recover.data && recover.data.stillRetrying > 0 && (
        <Text size="sm">{texts.recoverRetrying(count(recover.data.stillRetrying))}</Text>
      )}
      <Group justify="flex-end">
        <Button loading={recover.isPending} onClick={begin}>
          {texts.recoverVerb}
        </Button>
      </Group>
    </Stack>
  );
}

interface ProgressingProps {
  readonly id: number;
  readonly matched: number;
  /** When the recovery started. */
  readonly began: string;
}

/** Polls the newest 100 manual attempts since the start until all have ended. */
function Progressing({ id, matched, began }: ProgressingProps) {
  const wanted = Math.min(matched, listedAttempts);
  const made = useApi(
    'listAllDeliveries',
    { webhookId: id, from: began, limit: listedAttempts },
    { enabled: matched > 0, refetchWhile: ({ data }) => (ended(data).length < wanted ? pollMs : false) },
  );
  if (matched === 0) return <Alert color="gray">{texts.recoverNone}</Alert>;
  const done = ended(made.data?.data ?? []);
  const good = done.filter(({ deliveryStatus }) => deliveryStatus === 'success').length;
  const isDone = done.length >= wanted;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={600}>
        {texts.recoverBegan(count(matched))}
      </Text>
      <Progress value={(done.length / wanted) * 100} aria-label={texts.recoverTitle} animated={!isDone} />
      <Text size="sm">
        {isDone
          ? texts.recoverDone(count(good), count(done.length - good))
          : texts.recoverProgress(count(done.length), count(matched))}
      </Text>
      {isDone && good < done.length && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/deliveries" search={{ webhookId: id, deliveryStatus: 'failed' }} {...props} />
          )}
        >
          {texts.recoverFailed}
        </Anchor>
      )}
    </Stack>
  );
}

function ended<Attempt extends { readonly trigger: string; readonly deliveryStatus: string }>(
  attempts: readonly Attempt[],
): readonly Attempt[] {
  return attempts.filter(({ trigger, deliveryStatus }) => trigger === 'manual' && deliveryStatus !== 'pending');
}
