/** A word about what was done, at the edge of the screen, which goes by itself. */
import { notifications } from '@mantine/notifications';

export function said(message: string): void {
  notifications.show({ message, withBorder: true });
}
