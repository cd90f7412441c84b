/** Shows a short message that disappears by itself. */
import { Button, Group, Text } from '@mantine/core';
import { strings } from '../strings/strings.ts';

const undoMs = 10_000;
/** The last message with an undo button. */
let last: string | undefined;

/** Shows the message unless it is shown already. */
export function notifyOnce(message: string): void {
  const closeButtonProps = { 'aria-label': strings.app.close };
  void import('./notifications.tsx').then(({ notifications }) =>
    notifications.show({ id: message, message, withBorder: true, closeButtonProps }),
  );
}

/** With `undo`, the message has an undo button. It stays for ten seconds, and longer while the button has the focus. */
export function notify(message: string, undo?: () => void): void {
  const closeButtonProps = { 'aria-label': strings.app.close };
  void import('./notifications.tsx').then(({ notifications }) => {
    if (undo && last !== undefined) notifications.hide(last);
    const content = undo ? (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {strings.app.undo}
        </Button>
      </Group>
    ) : (
      message
    );
    const closeAfter = (autoClose: number | false) => notifications.update({ id, message: content, autoClose });
    const id = notifications.show({
      message: content,
      ...(undo && { autoClose: undoMs, onFocus: () => closeAfter(false), onBlur: () => closeAfter(undoMs) }),
      withBorder: true,
      closeButtonProps,
    });
    if (undo) last = id;
  });
}
