/** Sends a test message and shows the response. */
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { inEnglish } from '../../components/error-text.ts';
import { useWait } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { milliseconds } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { isRefusal } from '../deliveries/outcome.tsx';
import { type EventName, eventNames } from '../events/event-names.ts';

const texts = strings.webhooks;

export function Ping({ id }: { readonly id: number }) {
  const ping = useApiMutation('pingWebhook');
  useWait(ping.isSending);
  const [event, setEvent] = useState<string>('ping');
  const send = () => ping.mutate({ id, ...(event !== 'ping' && { event: event as EventName }) });
  return (
    <Stack>
      <Text size="sm">{texts.pingText}</Text>
      <Select
        label={strings.deliveries.message}
        allowDeselect={false}
        searchable
        data={[{ value: 'ping', label: texts.pingPlain }, ...eventNames]}
        value={event}
        onChange={(value) => setEvent(value ?? 'ping')}
      />
      <ErrorNotice error={ping.error} />
      {ping.data && <Result result={ping.data} />}
      <Group justify="flex-end">
        <Button loading={ping.isPending} onClick={send}>
          {texts.ping}
        </Button>
      </Group>
    </Stack>
  );
}

function Result({ result }: { readonly result: Answer<'pingWebhook'> }) {
  const { success, deliveryId, responseStatusCode, responseTimeMs, errorMessage } = result;
  const responded =
    responseStatusCode > 0
      ? texts.pingGood(responseStatusCode, milliseconds(responseTimeMs))
      : errorMessage === null
        ? strings.deliveries.inFeed
        : inEnglish(errorMessage);
  return (
    <Alert
      role="status"
      color={success ? 'green' : 'red'}
      icon={success ? <Check /> : <X />}
      title={success ? responded : texts.pingBad}
    >
      {!success && <Text size="sm">{responded}</Text>}
      {isRefusal(responseStatusCode) && <Text size="sm">{strings.deliveries.refused}</Text>}
      <AnchorLink size="sm" to="/deliveries" search={{ delivery: deliveryId }}>
        {texts.pingLook}
      </AnchorLink>
    </Alert>
  );
}
