/** A failed call: a title, the message, the code and the request id. */
import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { ApiError } from '../api/errors.ts';
import { strings } from '../strings/strings.ts';
import { DimmedText } from './dimmed-text.tsx';
import { errorMessage, errorTitle, inEnglish } from './error-text.ts';
import { RequestLink } from './request-link.tsx';

interface ErrorNoticeProps {
  readonly error: Error | null;
  readonly retry?: () => void;
  readonly retrying?: boolean;
  /** What to do if the change may have taken effect. Default: it can be repeated. */
  readonly undecided?: string | undefined;
}

/** Renders nothing without an error. An ended session has its own dialog. */
export function ErrorNotice({ error, retry, retrying = false, undecided }: ErrorNoticeProps) {
  if (!error || (error instanceof ApiError && error.code === 'session_ended')) return null;
  const known = error instanceof ApiError ? error : undefined;
  const message = errorMessage(error);
  return (
    <Alert color="red" icon={<CircleAlert />} title={errorTitle(error)} role="alert">
      <Stack gap="sm">
        {known && known.problems.length > 0 ? (
          <List size="sm">
            {known.problems.map(({ path, message }) => (
              <List.Item key={path}>
                <Code>{path}</Code> {inEnglish(message)}
              </List.Item>
            ))}
          </List>
        ) : (
          message && <Text size="sm">{message}</Text>
        )}
        {undecided && known?.isPassing && <Text size="sm">{undecided}</Text>}
        <Group gap="md">
          {retry && (
            <Button size="xs" variant="light" color="red" onClick={retry} loading={retrying}>
              {strings.app.retry}
            </Button>
          )}
          {known && (
            <DimmedText size="xs">
              {strings.app.errorCode} <Code>{known.code}</Code>
              {known.requestId && (
                <>
                  {' · '}
                  {strings.app.requestId} <RequestLink requestId={known.requestId} />
                </>
              )}
            </DimmedText>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
