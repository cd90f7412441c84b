/** A search whose text is kept in the address. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useScreenSearch } from '../app/use-screen-search.ts';

const pauseMs = 250;

/** The address follows when typing pauses, and the text follows when the address changes elsewhere. */
export function useSearchText() {
  // Every screen with a search gives it the same name and type.
  const [{ search = '' }, change] = useScreenSearch('/clients');
  const [typed, setTyped] = useState(search);
  const [known, setKnown] = useState(search);
  if (search !== known) {
    setKnown(search);
    if (search !== typed.trim()) setTyped(search);
  }
  const report = useDebouncedCallback(
    (text: string) => change({ search: text || undefined }, { replace: true }),
    pauseMs,
  );
  const type = (text: string) => {
    setTyped(text);
    report(text.trim());
  };
  return { typed, type };
}

interface SearchFieldProps extends TextInputProps {
  /** The text, from `useSearchText`. */
  readonly text: ReturnType<typeof useSearchText>;
}

export function SearchField({ text: { typed, type }, ...props }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      maw={420}
      leftSection={<Search size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      {...props}
    />
  );
}
