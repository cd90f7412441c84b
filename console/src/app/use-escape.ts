import { useWindowEvent } from '@mantine/hooks';

/**
 * Escape presses the close button of the dialog in front, so a form asks before it discards input. A dialog without this
 * button stays open. Mantine would close all open dialogs.
 */
export function useEscape(): void {
  useWindowEvent('keydown', closeDialogInFront, { capture: true });
}

function closeDialogInFront({ key, isComposing, target }: KeyboardEvent): void {
  if (key !== 'Escape' || isComposing) return;
  // Mantine sets this attribute while a menu, a list or a calendar is open, which closes first.
  if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return;
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1);
  dialog?.querySelector<HTMLElement>('.mantine-Modal-close, .mantine-Drawer-close')?.click();
}
