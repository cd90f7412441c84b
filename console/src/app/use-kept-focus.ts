import { useEffect, useRef, useState } from 'react';

/** Returns the focus from a dialog that is removed from the page while it is open. Mantine does so only if it closes. */
export function useReturnedFocus(opened: boolean): void {
  const [before] = useState(() => document.activeElement);
  const isOpen = useRef(opened);
  useEffect(() => {
    isOpen.current = opened;
  }, [opened]);
  useEffect(
    () => () => {
      if (isOpen.current && before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
}
