import { useEffect } from 'react';

const dialog = '[role=dialog]';

/**
 * Moves the focus when a dialog, or the focused element in it, is removed from the page: to the element of the open
 * dialog or of the page that had the focus last. A button that is disabled while it sends gets the focus back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined;
    let isInDialog = false;
    let wasDisabled = false;
    let before: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      isInDialog = target.closest(dialog) !== null;
      wasDisabled = false;
      before = [target, ...before.filter((one) => one.isConnected && one !== target)];
    };
    const keep = () => {
      if (!last || document.activeElement !== document.body) return;
      const isDisabled = last.matches(':disabled');
      if (last.isConnected) {
        if (wasDisabled && !isDisabled) last.focus({ preventScroll: true });
        wasDisabled = isDisabled;
        return;
      }
      const opened = [...document.querySelectorAll<HTMLElement>(dialog)].at(-1);
      if (!isInDialog && !opened) return;
      const frame = opened ?? document;
      const known = before.find((one) => frame.contains(one) && !one.matches(':disabled'));
      (known ?? opened ?? document.getElementById('content'))?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}
