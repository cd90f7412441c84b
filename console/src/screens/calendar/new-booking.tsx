/** Books a time for a client who is known, or for a new one. */
import { Button, Group, Input, Modal, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useApi, useChange } from '../../api/hooks.ts';
import { useTimes } from '../../format/times.ts';
import { instantOf, wallClock } from '../../format/zone.ts';
import { said } from '../../parts/said.ts';
import { strings } from '../../strings/strings.ts';
import { Taken } from './taken.tsx';

const searchDelayMs = 200;

export interface NewBookingProps {
  /** On the wall of the business: `2026-11-24 14:30:00`. */
  readonly start: string;
  readonly staffId: number | undefined;
  readonly staff: readonly { readonly id: number; readonly name: string }[];
  readonly services: readonly { readonly id: number; readonly name: string; readonly staffIds: readonly number[] }[];
  onClose(): void;
}

export function NewBooking({ start: startAt, staffId, staff, services, onClose }: NewBookingProps) {
  const { zone } = useTimes();
  const [member, setMember] = useState(staffId);
  const offered = services.filter(({ staffIds }) => member === undefined || staffIds.includes(member));
  const [service, setService] = useState(offered[0]?.id);
  const [start, setStart] = useState(startAt.slice(0, 16));
  const [who, setWho] = useState<'known' | 'new'>('known');
  const [known, setKnown] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, searchDelayMs);
  const [contact, setContact] = useState({ name: '', phone: '', email: '' });
  const [comment, setComment] = useState('');
  const clients = useApi('listClients', { limit: 20, ...(asked && { search: asked }) }, { keepPrevious: true });
  const change = useChange('createBooking');
  const problems = Object.fromEntries(change.error?.problems.map(({ path, message }) => [path, message]) ?? []);

  const send = () => {
    if (service === undefined) return;
    const { name, phone, email } = contact;
    const client = { name, ...(phone && { phone }), ...(email && { email }) };
    change.mutate(
      {
        serviceId: service,
        startTime: instantOf(`${start}:00`, zone),
        ...(member !== undefined && { staffId: member }),
        ...(comment && { comment }),
        ...(who === 'known' ? { clientId: Number(known) } : { client }),
      },
      {
        onSuccess: () => {
          said(strings.calendar.booked);
          onClose();
        },
      },
    );
  };
  const field = (name: 'name' | 'phone' | 'email') => ({
    label: strings.calendar[name],
    value: contact[name],
    error: problems[`client.${name}`],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setContact((before) => ({ ...before, [name]: value })),
  });

  return (
    <Modal opened onClose={onClose} title={strings.calendar.newBooking}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Stack>
          <Select
            label={strings.calendar.service}
            data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={service === undefined ? null : String(service)}
            onChange={(value) => setService(value === null ? undefined : Number(value))}
            allowDeselect={false}
            required
            data-autofocus
          />
          <Select
            label={strings.calendar.staff}
            placeholder={strings.calendar.anybody}
            data={staff.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={member === undefined ? null : String(member)}
            onChange={(value) => setMember(value === null ? undefined : Number(value))}
            clearable
          />
          <TextInput
            type="datetime-local"
            label={strings.calendar.start}
            description={strings.app.inZone(zone)}
            error={problems.startTime}
            value={start.replace(' ', 'T')}
            onChange={({ currentTarget }) => setStart(currentTarget.value.replace('T', ' '))}
            required
          />
          <Taken error={change.error} choose={(next) => setStart(wallClock(next, zone).slice(0, 16))} />
          <Input.Wrapper label={strings.calendar.client} labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label={strings.calendar.client}
              value={who}
              onChange={(value) => setWho(value === 'new' ? 'new' : 'known')}
              data={[
                { value: 'known', label: strings.calendar.clientKnown },
                { value: 'new', label: strings.calendar.clientNew },
              ]}
            />
          </Input.Wrapper>
          {who === 'known' ? (
            <Select
              aria-label={strings.calendar.client}
              placeholder={strings.calendar.findClient}
              searchable
              required
              data={clients.data?.data.map(({ id, name, phone, email }) => ({
                value: String(id),
                label: [name, phone ?? email].filter(Boolean).join(' · '),
              }))}
              // The server has searched already, by more than what is shown.
              filter={({ options }) => options}
              value={known}
              onChange={setKnown}
              onSearchChange={setSearch}
              nothingFoundMessage={strings.calendar.nobodyFound}
            />
          ) : (
            <>
              <TextInput {...field('name')} required />
              <Group grow align="flex-start">
                <TextInput
                  {...field('phone')}
                  type="tel"
                  description={strings.calendar.contactHint}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                />
                <TextInput {...field('email')} type="email" />
              </Group>
            </>
          )}
          <Textarea
            label={strings.calendar.comment}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
            autosize
            maxRows={4}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {strings.app.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {strings.calendar.book}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
