/** The form that books a free time for an existing or a new client. */
import { Group, Input, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { ClientSelect } from '../../components/client-select.tsx';
import { FormFrame, FormModal } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useTimes } from '../../format/times.ts';
import { instantOf } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { useFreeStarts } from '../bookings/free-starts.ts';
import { StartFields } from '../bookings/start-fields.tsx';
import { WhyNot } from '../bookings/why-not.tsx';

const texts = strings.calendar;

export interface NewBookingProps {
  /** Local time of the business: `2026-11-24 14:30:00`. */
  readonly start: string;
  readonly staffId: number | undefined;
  readonly staff: readonly { readonly id: number; readonly name: string }[];
  readonly services: readonly { readonly id: number; readonly name: string; readonly staffIds: readonly number[] }[];
  onClose(): void;
}

const numberOf = (text: string | null) => (text ? Number(text) : undefined);

export function NewBooking({ start, staffId, staff, services, onClose }: NewBookingProps) {
  const { zone } = useTimes();
  const doneBy = (member: number | undefined) =>
    services.filter(({ staffIds }) => member === undefined || staffIds.includes(member));
  const api = useApiForm({
    operation: 'createBooking',
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
      time: free.starts.has(time) ? undefined : texts.chooseStart,
      clientId: who === 'known' && clientId === undefined ? texts.chooseClient : undefined,
      'client.phone': who === 'new' && !client.phone && !client.email ? texts.contactHint : undefined,
    }),
    fieldNames: (path) => (path === 'startTime' ? 'time' : path),
    toInput: ({ serviceId, staffId: member, time, who, clientId, client, comment }) => {
      const { name, phone, email } = client;
      return {
        serviceId: Number(serviceId),
        startTime: free.starts.get(time) ?? '',
        ...(member && { staffId: Number(member) }),
        ...(comment && { comment }),
        ...(who === 'known' && clientId !== undefined
          ? { clientId }
          : { client: { name, ...(phone && { phone }), ...(email && { email }) } }),
      };
    },
    onSuccess: () => {
      notify(texts.booked);
      onClose();
    },
  });
  const { form } = api;
  const member = numberOf(form.values.staffId);
  const free = useFreeStarts(
    { serviceId: numberOf(form.values.serviceId), staffId: member, day: form.values.day },
    zone,
  );
  const offeredBy = services.find(({ id }) => id === numberOf(form.values.serviceId))?.staffIds;
  const able = staff.filter(({ id }) => offeredBy?.includes(id) || id === member);
  const isNew = form.values.who === 'new';

  return (
    <FormModal opened onClose={onClose} title={texts.newBooking} size="lg">
      <FormFrame api={api} verb={texts.book} onClose={onClose} shown={['slot_unavailable']}>
        <Group grow align="flex-start">
          <Select
            label={texts.service}
            data={doneBy(member).map(({ id, name }) => ({ value: String(id), label: name }))}
            allowDeselect={false}
            required
            data-autofocus
            {...form.getInputProps('serviceId')}
          />
          <Select
            label={texts.staff}
            placeholder={texts.anyone}
            data={able.map(({ id, name }) => ({ value: String(id), label: name }))}
            clearable
            {...form.getInputProps('staffId')}
          />
        </Group>
        <StartFields
          api={api}
          free={free}
          why={
            <WhyNot
              staff={staff}
              asked={{
                serviceId: Number(form.values.serviceId),
                staffId: member,
                startTime:
                  free.starts.get(form.values.time) ?? instantOf(`${form.values.day} ${form.values.time}:00`, zone),
              }}
            />
          }
        />
        <Input.Wrapper label={texts.client} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={texts.client}
            data={[
              { value: 'known', label: texts.clientKnown },
              { value: 'new', label: texts.clientNew },
            ]}
            {...form.getInputProps('who')}
          />
        </Input.Wrapper>
        {isNew ? (
          <>
            <TextInput label={texts.name} required {...form.getInputProps('client.name')} />
            <Group grow align="flex-start">
              <TextInput label={texts.phone} type="tel" {...form.getInputProps('client.phone')} />
              <TextInput label={texts.email} type="email" {...form.getInputProps('client.email')} />
            </Group>
          </>
        ) : (
          <ClientSelect
            aria-label={texts.client}
            placeholder={texts.findClient}
            nothingFoundMessage={texts.noClientFound}
            {...form.getInputProps('clientId')}
            value={form.values.clientId}
          />
        )}
        <Textarea label={texts.comment} autosize maxRows={4} {...form.getInputProps('comment')} />
      </FormFrame>
    </FormModal>
  );
}
