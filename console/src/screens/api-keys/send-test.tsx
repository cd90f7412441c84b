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
  readonly path: string;
  readonly value: NewKey;
}

/** A key with allowed websites is refused here, because the console is none of them. */
export function SendTest({ path, value: { key, allowedOrigins } }: SendTestProps) {
  const test = useMutation({ mutationFn: () => sendFirst(path, key), gcTime: 0 });
  if (allowedOrigins.length > 0) return <DimmedText>{texts.testOtherSites(allowedOrigins.join(', '))}</DimmedText>;
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
