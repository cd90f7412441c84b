/** The button that sends a first request with a new key, and its result. */
import { Button, Code, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { milliseconds } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type NewKey, type Sent, sendFirst } from './first-request.ts';

const texts = strings.apiKeys;

interface SendTestProps {
  readonly url: string;
  readonly value: NewKey;
}

/** A page on another origin than the API can read responses to allowed origins only, and this one is never allowed. */
export function SendTest({ url, value: { key, allowedOrigins } }: SendTestProps) {
  const test = useMutation({ mutationFn: () => sendFirst(url, key), gcTime: 0 });
  const whyNot =
    allowedOrigins.length > 0
      ? texts.testOtherSites(allowedOrigins.join(', '))
      : new URL(url).origin !== location.origin && texts.testOtherOrigin;
  if (whyNot) {
    return <DimmedText>{whyNot}</DimmedText>;
  }
  return (
    <Group gap="sm">
      <Button size="xs" leftSection={<Send size={14} />} loading={test.isPending} onClick={() => test.mutate()}>
        {texts.test}
      </Button>
      <Text size="sm" role="status">
        {test.data && <Outcome of={test.data} />}
        {test.error && texts.testNoAnswer}
      </Text>
    </Group>
  );
}

function Outcome({ of: { status, ms, requestId } }: { readonly of: Sent }) {
  return (
    <>
      {(status < 400 ? texts.testWorked : texts.testRefused)(status, milliseconds(ms))} {strings.app.requestId}{' '}
      <Code>{requestId}</Code>
    </>
  );
}
