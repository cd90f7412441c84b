/** A field that finds a client, to list their bookings, or one booking by its number or reference. */
import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useApi } from '../../api/hooks.ts';
import { ClientOption } from '../../components/client-select.tsx';
import { errorTitle } from '../../components/error-text.ts';
import { strings } from '../../strings/strings.ts';
import { useFound } from '../search/use-found.ts';

const texts = strings.bookings;
const pauseMs = 250;

interface BookingSearchProps {
  /** The client whose bookings are listed. */
  readonly client: number | undefined;
  onClient(id: number | undefined): void;
  onBooking(id: number): void;
}

export function BookingSearch({ client, onClient, onBooking }: BookingSearchProps) {
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), pauseMs);
  const chosen = useApi('getClient', { id: client ?? 0 }, { enabled: client !== undefined }).data;
  // The name of the chosen client in the field is not a search.
  const found = useFound(words === chosen?.name ? '' : words);
  const clients = [...(chosen ? [chosen] : []), ...found.clients.filter(({ id }) => id !== client)];
  const contactOf = (value: string) => found.clients.find(({ id }) => value === `client-${id}`)?.contact;
  const isSearching = found.isPending || words !== typed.trim();
  const nothing = found.error ? errorTitle(found.error) : strings.app.searchNothing;
  return (
    <Select
      w={{ base: '100%', sm: 320 }}
      aria-label={texts.search}
      placeholder={texts.searchHint}
      nothingFoundMessage={typed && !isSearching ? nothing : undefined}
      data={[
        {
          group: strings.screens.bookings,
          items: found.bookings.map(({ id, label }) => ({ value: `booking-${id}`, label })),
        },
        {
          group: strings.screens.clients,
          items: clients.map(({ id, name }) => ({ value: `client-${id}`, label: name })),
        },
      ]}
      renderOption={({ option: { value, label } }) => <ClientOption name={label} contact={contactOf(value)} />}
      // The API has already filtered, by more than the label.
      filter={({ options }) => options}
      value={client === undefined ? null : `client-${client}`}
      onChange={(value) => {
        const [kind, id] = value?.split('-') ?? [];
        if (kind === 'booking') {
          setTyped(chosen?.name ?? '');
          onBooking(Number(id));
        } else {
          onClient(id === undefined ? undefined : Number(id));
        }
      }}
      // Until the response, the first entry matches the previous text.
      selectFirstOptionOnChange={false}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      rightSection={isSearching ? <Loader size={14} /> : undefined}
    />
  );
}
