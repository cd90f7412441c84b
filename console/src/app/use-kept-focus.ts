import { useEffect } from 'react';

const dialog = '[role=dialog]';
/** The parts of a screen that a screen reader names, and the screen itself. */
const parts = '[role=group], section[aria-label], article, #content';

/**
 * Moves the focus when the focused element is removed. In a dialog, it moves to the element of the open dialog or page
 * that had the focus last; on a screen, to the part around the removed element. If the focused button stays disabled,
 * its dialog or the part gets the focus: the next press of Enter then presses no other button. A button that is
 * disabled while it sends gets the focus back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined;
    let isInDialog = false;
    let wasDisabled = false;
    let before: HTMLElement[] = [];
    let around: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      isInDialog = target.closest(dialog) !== null;
      wasDisabled = false;
      before = [target, ...before.filter((one) => one.isConnected && one !== target)];
      around = [...document.querySelectorAll<HTMLElement>(parts)].filter((one) => one.contains(target)).toReversed();
    };
    const keep = () => {
      if (!last) return;
      const isDisabled = last.matches(':disabled');
      const focused = document.activeElement;
      // A browser takes the focus from a disabled button only when it draws.
      if (focused !== document.body && !(focused === last && isDisabled)) return;
      if (last.isConnected) {
        if (wasDisabled && !isDisabled) last.focus({ preventScroll: true });
        wasDisabled = isDisabled;
        if (!isDisabled || last.matches('[data-loading]')) return;
      }
      const opened = [...document.querySelectorAll<HTMLElement>(dialog)].at(-1);
      const part = isInDialog || opened ? undefined : around.find((one) => one.isConnected);
      const frame = opened ?? document;
      const known = before.find((one) => frame.contains(one) && !one.matches(':disabled'));
      const kept = isInDialog && last.isConnected ? opened : known;
      const next = part ?? kept ?? opened ?? document.getElementById('content');
      if (next && next === part && !next.hasAttribute('tabindex')) next.tabIndex = -1;
      next?.focus({ preventScroll: true });
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
