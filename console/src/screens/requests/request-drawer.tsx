/** The drawer of a request, with the meaning of its error. */
import { Alert, Anchor, Code, Drawer, Stack, Text, Title } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import type { Answer } from '../../api/call.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { inEnglish } from '../../components/error-text.ts';
import { FactList } from '../../components/fact-list.tsx';
import { ZoneNote } from '../../components/zone-note.tsx';
import { milliseconds, useTimes } from '../../format/times.ts';
import { integrationUrl } from '../../session/config.ts';
import { strings } from '../../strings/strings.ts';
import { curlOf } from './curl.ts';

const texts = strings.requests;
const guide = '/docs/errors/#all-codes';

export type LoggedRequest = Answer<'listRequests'>['data'][number];

interface RequestDrawerProps {
  readonly request: LoggedRequest | undefined;
  readonly nameOf: (request: LoggedRequest) => string;
  onClose(): void;
}

export function RequestDrawer({ request, nameOf, onClose }: RequestDrawerProps) {
  return (
    <Drawer opened={request !== undefined} onClose={onClose} title={texts.title} size="lg">
      {request && <Details request={request} name={nameOf(request)} />}
    </Drawer>
  );
}

function Details({ request, name }: { readonly request: LoggedRequest; readonly name: string }) {
  const { exact } = useTimes();
  const { requestId, method, path, status, code, durationMs, at, meaning, nextStep } = request;
  const api = integrationUrl();
  const curl = api && curlOf(request, new URL(api).origin);
  return (
    <Stack gap="lg">
      <FactList
        facts={[
          [texts.columns.request, <Code key="path">{`${method} ${path ?? texts.unknownPath}`}</Code>],
          [texts.columns.status, status],
          [texts.code, code && <Code key="code">{code}</Code>],
          [texts.columns.duration, milliseconds(durationMs)],
          [texts.columns.key, name],
          [texts.columns.when, exact(at)],
          [texts.requestId, <Code key="id">{requestId}</Code>],
        ]}
      />
      {meaning && (
        <Alert color="yellow" icon={<CircleHelp />} title={texts.explain}>
          <Stack gap="xs">
            <Text size="sm">{inEnglish(meaning)}</Text>
            <Text size="sm">
              <strong>{texts.nextStep}:</strong> {nextStep && inEnglish(nextStep)}
            </Text>
            <Anchor size="sm" href={guide} target="_blank" rel="noreferrer" underline="always">
              {texts.guide}
            </Anchor>
          </Stack>
        </Alert>
      )}
      {curl && (
        <>
          <Title order={3}>{texts.curl}</Title>
          <CodeBlock label={texts.curl} text={curl} />
          <DimmedText size="xs">{texts.curlHint}</DimmedText>
        </>
      )}
      <ZoneNote />
    </Stack>
  );
}
