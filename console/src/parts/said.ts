/** A word about what was done, at the edge of the screen, which goes by itself. */

export function said(message: string): void {
  void import('./notices.tsx').then(({ notifications }) => notifications.show({ message, withBorder: true }));
}
