/** Books a free time for a client who is known, or for a new one. */
import { Group, Input, Modal, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useChange } from '../../api/hooks.ts';
import { useTimes } from '../../format/times.ts';
import { ClientSelect } from '../../parts/client-select.tsx';
import { FormFrame } from '../../parts/form-frame.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';
import { useFreeStarts } from './free-starts.ts';
import { StartFields } from './start-fields.tsx';

const words = strings.calendar;

export interface NewBookingProps {
  /** On the wall of the business: `2026-11-24 14:30:00`. */
  readonly start: string;
  readonly staffId: number | undefined;
  readonly staff: readonly { readonly id: number; readonly name: string }[];
  readonly services: readonly { readonly id: number; readonly name: string; readonly staffIds: readonly number[] }[];
  onClose(): void;
}

const numberOf = (text: string | null) => (text ? Number(text) : undefined);

export function NewBooking({ start, staffId, staff, services, onClose }: NewBookingProps) {
  const { zone } = useTimes();
  const create = useChange('createBooking');
  const doneBy = (member: number | undefined) =>
    services.filter(({ staffIds }) => member === undefined || staffIds.includes(member));
  const api = useApiForm({
    initialValues: {
      serviceId: String(doneBy(staffId)[0]?.id ?? ''),
      staffId: staffId === undefined ? null : String(staffId),
      day: start.slice(0, 10),
      time: start.slice(11, 16),
      who: 'known' as 'known' | 'new',
      clientId: undefined as number | undefined,
      client: { name: '', phone: '', email: '' },
      comment: '',
    },
    validate: ({ time, who, clientId, client }) => ({
      time: free.starts.has(time) ? undefined : words.chooseStart,
      clientId: who === 'known' && clientId === undefined ? words.chooseClient : undefined,
      'client.phone': who === 'new' && !client.phone && !client.email ? words.contactHint : undefined,
    }),
    fieldNames: (path) => (path === 'startTime' ? 'time' : path),
    send: ({ serviceId, staffId: member, time, who, clientId, client, comment }) => {
      const { name, phone, email } = client;
      return create.mutateAsync({
        serviceId: Number(serviceId),
        startTime: free.starts.get(time) ?? '',
        ...(member && { staffId: Number(member) }),
        ...(comment && { comment }),
        ...(who === 'known' && clientId !== undefined
          ? { clientId }
          : { client: { name, ...(phone && { phone }), ...(email && { email }) } }),
      });
    },
    onDone: () => {
      said(words.booked);
      onClose();
    },
  });
  const { form } = api;
  const member = numberOf(form.values.staffId);
  const free = useFreeStarts(
    { serviceId: numberOf(form.values.serviceId), staffId: member, day: form.values.day },
    zone,
  );
  const isNew = form.values.who === 'new';

  return (
    <Modal opened onClose={onClose} title={words.newBooking} size="lg" closeOnClickOutside={false}>
      <FormFrame api={api} verb={words.book} onClose={onClose} shown={['slot_unavailable']}>
        <Group grow align="flex-start">
          <Select
            label={words.service}
            data={doneBy(member).map(({ id, name }) => ({ value: String(id), label: name }))}
            allowDeselect={false}
            required
            data-autofocus
            {...form.getInputProps('serviceId')}
          />
          <Select
            label={words.staff}
            placeholder={words.anybody}
            data={staff.map(({ id, name }) => ({ value: String(id), label: name }))}
            clearable
            {...form.getInputProps('staffId')}
          />
        </Group>
        <StartFields api={api} free={free} />
        <Input.Wrapper label={words.client} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={words.client}
            data={[
              { value: 'known', label: words.clientKnown },
              { value: 'new', label: words.clientNew },
            ]}
            {...form.getInputProps('who')}
          />
        </Input.Wrapper>
        {isNew ? (
          <>
            <TextInput label={words.name} required {...form.getInputProps('client.name')} />
            <Group grow align="flex-start">
              <TextInput label={words.phone} type="tel" {...form.getInputProps('client.phone')} />
              <TextInput label={words.email} type="email" {...form.getInputProps('client.email')} />
            </Group>
          </>
        ) : (
          <ClientSelect
            aria-label={words.client}
            placeholder={words.findClient}
            nothingFoundMessage={words.nobodyFound}
            {...form.getInputProps('clientId')}
            value={form.values.clientId}
          />
        )}
        <Textarea label={words.comment} autosize maxRows={4} {...form.getInputProps('comment')} />
      </FormFrame>
    </Modal>
  );
}
