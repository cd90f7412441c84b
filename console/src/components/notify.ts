/** Shows a short message that disappears by itself. */
import { strings } from '../strings/strings.ts';

export function notify(message: string): void {
  const closeButtonProps = { 'aria-label': strings.app.close };
  void import('./notifications.tsx').then(({ notifications }) =>
    notifications.show({ message, withBorder: true, closeButtonProps }),
  );
}
