/** Corrects accessible names of the library: day headers, and free time by staff member, day and time. */
import { Box } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { shortWeekday } from '../../format/times.ts';

/** `Add booking, Anna 2026-11-24 09:00:00 - 10:00:00`; without the date in the day of one staff member. */
const slot = /^(.*?)(?: (\d{4}-\d\d-\d\d))? (\d\d:\d\d):\d\d - (\d\d:\d\d):\d\d$/;

export function NamedSlots({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const named of ref.current?.querySelectorAll('button[aria-label]') ?? []) {
      const [, head, day, from, to] = slot.exec(named.getAttribute('aria-label') ?? '') ?? [];
      const label = [head, day && shortWeekday(day), `${from}–${to}`].filter(Boolean).join(', ');
      if (head) named.setAttribute('aria-label', label);
    }
    // The name of a day header is its text: `Mon 23`.
    for (const head of ref.current?.querySelectorAll('[aria-label^="Weekday "]') ?? [])
      head.removeAttribute('aria-label');
  });
  return <Box ref={ref}>{children}</Box>;
}
