/** A dialog that asks before an action that cannot be undone. It stays open until the action has succeeded. */
import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../api/errors.ts';
import { strings } from '../strings/strings.ts';
import { ErrorNotice } from './error-notice.tsx';
import { FormModal, useWait } from './form-frame.tsx';
import { mayClose } from './may-close.ts';

interface ConfirmActionProps {
  readonly opened: boolean;
  readonly title: string;
  readonly description: ReactNode;
  /** The consequences of the action, one sentence each. */
  readonly consequences?: readonly string[];
  /** An input above the buttons. */
  readonly choice?: ReactNode;
  /** The label of the button: "Revoke key". */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** The text that the user must type first. */
  readonly typed?: string;
  /** The mutation of the action, from `useApiMutation`. */
  readonly mutation: { readonly isPending: boolean; isSending(): boolean; readonly error: ApiError | null };
  /** Whether data that the question needs are loading, so that it cannot be confirmed yet. Default: false. */
  readonly isLoading?: boolean;
  /** What to do if the action may have taken effect. Default: it can be repeated. */
  readonly undecided?: string;
  onConfirm(): void;
  onClose(): void;
}

export function ConfirmAction(props: ConfirmActionProps) {
  const { opened, title, onClose } = props;
  return (
    <FormModal opened={opened} onClose={onClose} title={title} isForm={false}>
      <Question {...props} />
    </FormModal>
  );
}

function Question(props: ConfirmActionProps) {
  const { description, consequences = [], choice, verb, isDangerous = true, typed, mutation } = props;
  useWait(mutation.isSending);
  const [given, setGiven] = useState('');
  // A reopened dialog must not show the last error.
  const [isConfirmed, setConfirmed] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // In React, the form that opened this dialog is its parent, although it is not on the page.
        event.stopPropagation();
        setConfirmed(true);
        props.onConfirm();
      }}
    >
      <Stack>
        <Text>{description}</Text>
        {consequences.length > 0 && (
          <List size="sm" spacing={6}>
            {consequences.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        )}
        {choice}
        {typed !== undefined && (
          <TextInput
            label={strings.app.typeToConfirm(typed)}
            value={given}
            onChange={({ currentTarget }) => setGiven(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ErrorNotice error={isConfirmed ? mutation.error : null} undecided={props.undecided} />
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => mayClose(mutation.isSending) && props.onClose()}
            data-autofocus={typed === undefined || undefined}
          >
            {strings.app.cancel}
          </Button>
          <Button
            type="submit"
            color={isDangerous ? 'red' : undefined}
            loading={mutation.isPending || props.isLoading === true}
            disabled={typed !== undefined && asShown(given) !== asShown(typed)}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The text as a page shows it: several spaces look like one space. */
const asShown = (text: string) => text.normalize().replace(/\s+/g, ' ').trim();
