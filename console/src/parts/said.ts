/** A word about what was done, at the edge of the screen, which goes by itself. */
import { strings } from '../strings/strings.ts';

export function said(message: string): void {
  const closeButtonProps = { 'aria-label': strings.app.close };
  void import('./notices.tsx').then(({ notifications }) =>
    notifications.show({ message, withBorder: true, closeButtonProps }),
  );
}
