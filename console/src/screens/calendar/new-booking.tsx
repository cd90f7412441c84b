/** The form that books for a new or existing client: a service, places of a class, or a visit of several services. */
import { Alert, Group, Input, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useApi } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import type { Named } from '../../components/choices.ts';
import { ClientSelect } from '../../components/client-select.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormFrame, FormModal } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { phoneProblem } from '../../format/phone.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { clientOf, staffOf } from '../bookings/booking.ts';
import { type Parts, useFreeStarts } from '../bookings/free-starts.ts';
import { StartFields, startOf, startProblem } from '../bookings/start-fields.tsx';
import { useWhyNot, type WhyNot } from '../bookings/why-not.ts';
import { type Bookable, PartsFields, type PartValues, partsOf } from './parts-fields.tsx';

const texts = strings.calendar;

export interface NewBookingAt {
  /** The local time of the business: `2026-11-24 14:30:00`. */
  readonly start: string;
  readonly staffId: number | undefined;
  /** Default: the first service that the staff member performs. */
  readonly serviceId?: number;
}

interface NewBookingProps extends NewBookingAt {
  readonly staff: readonly Named[];
  readonly services: readonly Bookable[];
  onClose(): void;
}

export function NewBooking({ start, staffId, serviceId, staff, services, onClose }: NewBookingProps) {
  const { zone, when } = useTimes();
  const may = useMay();
  const clients = useApi('listClients', { limit: 20 });
  const hasClients = clients.data?.data.some(({ erasedAt }) => !erasedAt) ?? true;
  const first = services.find(
    ({ id, staffIds }) => id === serviceId || (!serviceId && (!staffId || staffIds.includes(staffId))),
  );
  const api = useApiForm({
    operation: 'createBooking',
    initialValues: {
      parts: [
        { serviceId: String(first?.id ?? ''), staffId: staffId === undefined ? null : String(staffId) },
      ] as PartValues[],
      places: 1 as number | string,
      day: start.slice(0, 10),
      time: start.slice(11, 16),
      anyTime: false,
      /** Null until chosen. */
      who: null as 'known' | 'new' | null,
      clientId: undefined as number | undefined,
      client: { name: '', phone: '', email: '' },
      comment: '',
    },
    validate: (values) => ({
      ...Object.fromEntries(
        values.parts.map((part, at) => [`parts.${at}.serviceId`, part.serviceId ? undefined : texts.chooseService]),
      ),
      time: startOf(values, free, zone) ? undefined : startProblem(values),
      clientId: who === 'known' && values.clientId === undefined ? texts.chooseClient : undefined,
      ...(who === 'new' && {
        'client.name': values.client.name.trim() ? undefined : strings.clients.nameNeeded,
        'client.phone':
          values.client.phone || values.client.email ? phoneProblem(values.client.phone) : strings.clients.needed,
      }),
    }),
    fieldNames: (path) =>
      path === 'startTime'
        ? 'time'
        : path.replace(/^services\b/, 'parts').replace(/^(serviceId|staffId)$/, 'parts.0.$1'),
    toInput: (values) => {
      const { clientId, comment } = values;
      const { name, phone, email } = values.client;
      const [one, ...others] = parts;
      return {
        ...(others.length > 0 ? { services: [...parts] } : { ...one, ...(places > 1 && { places }) }),
        startTime: startOf(values, free, zone) ?? '',
        ...(why?.isOfRules && { outsideRules: true }),
        ...(comment && { comment }),
        ...(who === 'known' && clientId !== undefined
          ? { clientId }
          : { client: { name, ...(phone && { phone }), ...(email && { email }) } }),
      };
    },
    notification: (booking) => texts.booked(clientOf(booking), `${when(booking.startTime)}, ${staffOf(booking)}`),
    onDone: onClose,
  });
  const { form } = api;
  const { values } = form;
  const who: 'known' | 'new' = values.who ?? (hasClients ? 'known' : 'new');
  const parts: Parts = partsOf(values.parts);
  const isClass = parts.length === 1 && services.some(({ id, capacity }) => id === parts[0]?.serviceId && capacity > 1);
  const places: number = isClass ? Number(values.places) || 1 : 1;
  const free = useFreeStarts({ parts, places, day: values.day }, zone);
  // A free time of a visit may belong to other staff members, so each time is checked for the chosen staff members.
  const isVisitWith = parts.length > 1 && parts.some((part) => part.staffId !== undefined);
  const isAsked = values.anyTime || isVisitWith || api.error?.code === 'slot_unavailable';
  const tooFull = values.anyTime ? undefined : free.withTooFewPlaces(values.time);
  const startTime = tooFull ?? (isAsked ? startOf(values, free, zone) : undefined);
  const found = useWhyNot({ parts, places, startTime }, staff, services);
  const why: WhyNot | undefined = tooFull && found?.isOfRules ? undefined : found;
  return (
    <FormModal opened onClose={onClose} title={texts.newBooking} size="lg">
      <FormFrame
        api={api}
        // Until the free times are loaded, none can be chosen.
        isLoading={free.isLoading}
        verb={why?.isOfRules ? texts.bookAnyway : texts.book}
        onClose={onClose}
        shown={['slot_unavailable']}
      >
        {services.length === 0 && (
          <Alert color="yellow">
            {may('owner') ? <AnchorLink to="/services">{strings.overview.steps.service}</AnchorLink> : texts.noService}
          </Alert>
        )}
        <PartsFields form={form} staff={staff} services={services} isClass={isClass} />
        <StartFields api={api} free={free} why={why} />
        <Input.Wrapper label={strings.clients.one} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={strings.clients.one}
            data={[
              { value: 'known', label: texts.clientKnown },
              { value: 'new', label: texts.clientNew },
            ]}
            {...form.getInputProps('who')}
            value={who}
          />
        </Input.Wrapper>
        {who === 'new' ? (
          <>
            <TextInput label={strings.clients.name} required {...form.getInputProps('client.name')} />
            <Group grow align="flex-start">
              <TextInput label={strings.clients.phone} type="tel" {...form.getInputProps('client.phone')} />
              <TextInput label={strings.clients.email} type="email" {...form.getInputProps('client.email')} />
            </Group>
            <DimmedText>{strings.clients.contactRequired}</DimmedText>
          </>
        ) : (
          <ClientSelect
            aria-label={strings.clients.one}
            nothingFoundMessage={texts.noClientFound}
            {...form.getInputProps('clientId')}
            value={values.clientId}
          />
        )}
        <Textarea label={texts.comment} autosize maxRows={4} {...form.getInputProps('comment')} />
      </FormFrame>
    </FormModal>
  );
}
