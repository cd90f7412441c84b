/** A field that finds a client by name, phone or email. */
import { Loader, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useApi } from '../api/hooks.ts';
import { strings } from '../strings/strings.ts';
import { DimmedText } from './dimmed-text.tsx';
import { errorTitle } from './error-text.ts';

const pauseMs = 250;

interface ClientSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
}

export function ClientSelect({
  value,
  onChange,
  nothingFoundMessage = strings.clients.noneFound,
  ...props
}: ClientSelectProps) {
  const [typed, setTyped] = useState('');
  const [paused] = useDebouncedValue(typed.trim(), pauseMs);
  const chosen = useApi('getClient', { id: value ?? 0 }, { enabled: value !== undefined });
  // The name of the chosen client in the field is not a search.
  const search = paused === chosen.data?.name ? '' : paused;
  const found = useApi('listClients', { limit: 20, ...(search && { search }) }, { keepPrevious: true });
  const isAnswered = found.isSuccess && !found.isPlaceholderData && paused === typed.trim();
  const named = value === undefined ? undefined : chosen.data;
  const known = [...(named ? [named] : []), ...(found.data?.data ?? []).filter(({ id }) => id !== value)];
  return (
    <Select
      placeholder={strings.clients.searchHint}
      nothingFoundMessage={found.error ? errorTitle(found.error) : isAnswered ? nothingFoundMessage : undefined}
      data={known
        .filter(({ id, erasedAt }) => !erasedAt || id === value)
        .map(({ id, name, erasedAt }) => ({ value: String(id), label: erasedAt ? strings.clients.erased : name }))}
      renderOption={({ option }) => {
        const { phone, email } = known.find(({ id }) => String(id) === option.value) ?? {};
        return <ClientOption name={option.label} contact={phone ?? email} />;
      }}
      // The API has already filtered, by more than the name.
      filter={({ options }) => options}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      // Until the response, the first entry matches the previous text.
      selectFirstOptionOnChange={false}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      rightSection={found.isFetching && search ? <Loader size={14} /> : undefined}
      {...props}
    />
  );
}

interface ClientOptionProps {
  readonly name: string;
  readonly contact: string | null | undefined;
}

/** Clients may have the same name, so an option also shows the phone number or email. */
export function ClientOption({ name, contact }: ClientOptionProps) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {name}
      {contact && <DimmedText>{contact}</DimmedText>}
    </div>
  );
}
