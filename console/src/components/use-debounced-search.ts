/** The text of a search field, reported when typing pauses. */
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const pauseMs = 250;

/** `search` is the current search, for example from the address. The field follows it when it changes elsewhere. */
export function useDebouncedSearch(search: string, onSearch: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(search);
  const [known, setKnown] = useState(search);
  if (search !== known) {
    setKnown(search);
    if (search !== text.trim()) setText(search);
  }
  const report = useDebouncedCallback(onSearch, pauseMs);
  return [
    text,
    (value) => {
      setText(value);
      report(value.trim());
    },
  ];
}
