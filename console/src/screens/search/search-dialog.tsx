/** A search over screens, clients and bookings. Arrow keys select an entry and Enter opens it. */
import { Kbd, Loader, Modal, NavLink, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { CalendarDays, type LucideIcon, Search, UserRound } from 'lucide-react';
import { useId, useState } from 'react';
import { useMay } from '../../app/role.ts';
import { screens } from '../../app/screens.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { errorTitle } from '../../components/error-text.ts';
import { plain } from '../../format/formats.ts';
import { strings } from '../../strings/strings.ts';
import { useFound } from './use-found.ts';

const texts = strings.app;
const typingMs = 200;

interface Hit {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: LucideIcon;
  readonly to: LinkProps;
}

export function SearchDialog({ onClose }: { onClose(): void }) {
  const may = useMay();
  const navigate = useNavigate();
  const id = useId();
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(0);
  const [query] = useDebouncedValue(words.trim(), typingMs);
  const found = useFound(query);
  const { clients, bookings } = found;
  const isPending = found.isPending || query !== words.trim();
  const hits: readonly Hit[] = [
    ...bookings.map(({ id: booking, label, day }) => ({
      key: `booking-${booking}`,
      label,
      hint: strings.bookings.one,
      icon: CalendarDays,
      to: { to: '/calendar', search: { day, booking } } as LinkProps,
    })),
    ...clients.map(({ id: client, name, contact }) => ({
      key: `client-${client}`,
      label: name,
      hint: contact ?? strings.clients.one,
      icon: UserRound,
      to: { to: '/clients/$clientId', params: { clientId: String(client) } } as LinkProps,
    })),
    ...screens
      .filter(({ id: screen, role }) => may(role) && plain(strings.screens[screen]).includes(plain(words.trim())))
      .map(({ id: screen, path, icon }) => ({
        key: screen,
        label: strings.screens[screen],
        hint: texts.screen,
        icon,
        to: { to: path } as LinkProps,
      })),
  ];
  const nothing = hits.length === 0 ? texts.searchNothing : '';
  const at = Math.min(chosen, hits.length - 1);
  const open = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    void navigate(hit.to as Parameters<typeof navigate>[0]);
  };
  const move = (by: number) => setChosen((at + by + hits.length) % Math.max(1, hits.length));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => open(hits[at]),
  };
  return (
    <Modal opened onClose={onClose} title={texts.search} size="lg" yOffset="10vh" centered={false}>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          role="combobox"
          aria-label={texts.search}
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={hits[at] && `${id}-${hits[at].key}`}
          aria-autocomplete="list"
          placeholder={may('desk') ? texts.searchPlaceholder : undefined}
          leftSection={<Search size={16} />}
          rightSection={isPending && <Loader size={14} />}
          autoComplete="off"
          maxLength={200}
          value={words}
          onChange={({ currentTarget }) => {
            setWords(currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            const act = keys[event.key];
            if (!act) return;
            event.preventDefault();
            act();
          }}
        />
        <div role="listbox" id={`${id}-list`} aria-label={texts.searchResults}>
          {hits.map((hit, index) => (
            <NavLink
              key={hit.key}
              component="button"
              id={`${id}-${hit.key}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              active={index === at}
              bdrs="md"
              leftSection={<hit.icon size={18} />}
              label={hit.label}
              rightSection={
                <Text span size="xs" style={{ overflowWrap: 'anywhere' }}>
                  {hit.hint}
                </Text>
              }
              ref={(node) => {
                if (index === at) node?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => open(hit)}
            />
          ))}
        </div>
        <DimmedText role="status">{isPending ? '' : found.error ? errorTitle(found.error) : nothing}</DimmedText>
        <DimmedText size="xs" visibleFrom="sm">
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {texts.searchChoose} · <Kbd size="xs">Enter</Kbd>{' '}
          {texts.searchOpen}
        </DimmedText>
      </Stack>
    </Modal>
  );
}
