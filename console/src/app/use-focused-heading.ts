import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Moves the focus to the heading of a new screen, unless a field or a dialog has it: screen readers then read the
 * heading.
 */
export function useFocusedHeading(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        const content = document.getElementById('content');
        const focused = document.activeElement;
        const isTaken = focused !== content && (content?.contains(focused) || focused?.closest('[role=dialog]'));
        // The first screen leaves the focus where it is.
        if (fromLocation && pathChanged && !isTaken) content?.querySelector('h1')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
