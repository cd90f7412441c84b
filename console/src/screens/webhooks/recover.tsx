/** Sends the failed messages of a period again, and shows the progress. */
import { Alert, Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useWait } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { now, useNow } from '../../format/clock.ts';
import { count } from '../../format/numbers.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.webhooks;
const hours = ['1', '24', '168', '720'] as const;
const hourMs = 3_600_000;
/** The message of the first failed attempt is older than the failure. */
const beforeFailureMs = hourMs;
const pollMs = 1_500;
const listedAttempts = 100;

type Period = (typeof hours)[number] | 'failing';

export function Recover({ webhook: { id, failingSince } }: { readonly webhook: Answer<'getWebhook'> }) {
  const { dateTime } = useTimes();
  const shownNow = useNow();
  const recover = useApiMutation('recoverWebhook');
  useWait(recover.isSending);
  const newest = useApi('listAllDeliveries', { webhookId: id, limit: 1 });
  // The value is kept, because the recovery ends the failure.
  const [failing] = useState(failingSince);
  const [period, setPeriod] = useState<Period>(failing ? 'failing' : '24');
  const [began, setBegan] = useState<string>();
  const periods: readonly Period[] = failing ? ['failing', ...hours] : hours;
  const sinceOf = (at: number) =>
    new Date(
      period === 'failing' ? Date.parse(failing ?? '') - beforeFailureMs : at - Number(period) * hourMs,
    ).toISOString();
  const begin = () => {
    const at = now();
    const last = newest.data?.data[0]?.createdAt;
    // The clock of this device may be fast, so what is counted begins after the newest record.
    const after = new Date(last === undefined ? at : Date.parse(last) + 1).toISOString();
    recover.mutate({ id, since: sinceOf(at) }, { onSuccess: () => setBegan(after) });
  };
  const wait = recover.error?.code === 'recovery_in_progress' ? recover.error.retryAfterSeconds : undefined;
  return (
    <Stack>
      <Text size="sm">{texts.recoverText}</Text>
      <Select
        label={texts.recoverSince}
        description={texts.recoverFrom(dateTime(sinceOf(shownNow)))}
        allowDeselect={false}
        data={periods.map((value) => ({ value, label: texts.recoverPeriods[value] }))}
        value={period}
        onChange={(value) => setPeriod(periods.find((one) => one === value) ?? '24')}
      />
      <ErrorNotice error={recover.error} />
      {wait !== undefined && <Text size="sm">{texts.recoverWait(wait)}</Text>}
      {recover.data && began && <Progressing id={id} matched={recover.data.matched} began={began} />}
      {recover.data && recover.data.stillRetrying > 0 && (
        <Text size="sm">{texts.recoverRetrying(count(recover.data.stillRetrying))}</Text>
      )}
      {recover.data && recover.data.leftOut > 0 && (
        <Text size="sm">{texts.recoverLeftOut(count(recover.data.leftOut))}</Text>
      )}
      <Group justify="flex-end">
        <Button loading={recover.isPending || newest.isFetching} onClick={begin}>
          {texts.recover}
        </Button>
      </Group>
    </Stack>
  );
}

interface ProgressingProps {
  readonly id: number;
  readonly matched: number;
  /** A time after the attempts before the recovery. */
  readonly began: string;
}

/** Polls the newest 100 manual attempts since the start until all have ended. */
function Progressing({ id, matched, began }: ProgressingProps) {
  const wanted = Math.min(matched, listedAttempts);
  const redeliveries = useApi(
    'listAllDeliveries',
    { webhookId: id, from: began, limit: listedAttempts },
    {
      enabled: matched > 0,
      refetchInterval: ({ state: { data } }) => data !== undefined && ended(data.data).length < wanted && pollMs,
    },
  );
  if (matched === 0) return <Alert color="gray">{texts.recoverNone}</Alert>;
  const done = ended(redeliveries.data?.data ?? []);
  const good = done.filter(({ deliveryStatus }) => deliveryStatus === 'success').length;
  const isDone = done.length >= wanted;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={600}>
        {texts.recoverBegan(count(matched))}
      </Text>
      {matched > wanted && <Text size="sm">{texts.recoverNewest(count(wanted))}</Text>}
      <Progress value={(done.length / wanted) * 100} aria-label={texts.recoverTitle} animated={!isDone} />
      <Text size="sm">
        {isDone
          ? texts.recoverDone(count(good), count(done.length - good))
          : texts.recoverProgress(count(done.length), count(wanted))}
      </Text>
      {isDone && good < done.length && (
        <AnchorLink size="sm" to="/deliveries" search={{ webhookId: id, deliveryStatus: 'failed' }}>
          {strings.overview.webhookOffAct}
        </AnchorLink>
      )}
    </Stack>
  );
}

function ended<Attempt extends { readonly trigger: string; readonly deliveryStatus: string }>(
  attempts: readonly Attempt[],
): readonly Attempt[] {
  return attempts.filter(({ trigger, deliveryStatus }) => trigger === 'manual' && deliveryStatus !== 'pending');
}
