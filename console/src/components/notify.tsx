/** Shows a short message that disappears by itself. */
import { Button, Group, Text } from '@mantine/core';
import { strings } from '../strings/strings.ts';

const undoMs = 10_000;
/** The last message with an undo button. */
let last: string | undefined;

/** With `undo`, the message has an undo button for ten seconds. */
export function notify(message: string, undo?: () => void): void {
  const closeButtonProps = { 'aria-label': strings.app.close };
  void import('./notifications.tsx').then(({ notifications }) => {
    if (undo && last !== undefined) notifications.hide(last);
    const id = notifications.show({
      message: undo ? (
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
      ),
      ...(undo && { autoClose: undoMs }),
      withBorder: true,
      closeButtonProps,
    });
    if (undo) last = id;
  });
}
