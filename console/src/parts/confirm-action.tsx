/** Asks before something that cannot be undone, says what it does, and stays open while it fails. */
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import { strings } from '../strings/strings.ts';
import { ErrorNotice } from './error-notice.tsx';

export interface ConfirmActionProps {
  readonly opened: boolean;
  readonly title: string;
  readonly about: ReactNode;
  /** What follows of it, a sentence each. */
  readonly consequences?: readonly string[];
  /** The word on the button, a verb: "Revoke key". */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  onConfirm(): void;
  onClose(): void;
}

export function ConfirmAction(props: ConfirmActionProps) {
  const { opened, title, about, consequences = [], verb, isDangerous = true, isPending, error } = props;
  return (
    <Modal opened={opened} onClose={props.onClose} title={title}>
      <Stack>
        <Text>{about}</Text>
        {consequences.length > 0 && (
          <List size="sm" spacing={6}>
            {consequences.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        )}
        <ErrorNotice error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            {strings.app.cancel}
          </Button>
          <Button color={isDangerous ? 'red' : undefined} loading={isPending} onClick={props.onConfirm}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
