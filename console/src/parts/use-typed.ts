/** What is typed, told when the typing pauses: a search that asks the API and stands in the address. */
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const pauseMs = 250;

/** `known` is what was told last, or came from elsewhere: then the field follows it. */
export function useTyped(known: string, tell: (typed: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(known);
  const [told, setTold] = useState(known);
  if (known !== told) {
    setTold(known);
    if (known !== typed.trim()) setTyped(known);
  }
  const later = useDebouncedCallback(tell, pauseMs);
  return [
    typed,
    (value) => {
      setTyped(value);
      later(value.trim());
    },
  ];
}
