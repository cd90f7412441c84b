/** The form for a new or existing service. */
import { Autocomplete, Group, MultiSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { CopyPlus } from 'lucide-react';
import type { Answer, Input } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { choicesOf } from '../../components/choices.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { AnchorLink, ButtonLink } from '../../components/link.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { RemoveButton } from '../../components/remove-button.tsx';
import { descriptionBelow, fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';
import { useKinds } from '../resources/resource-form.tsx';
import { isPerformed } from './performed.ts';

const texts = strings.services;

type Service = Answer<'getService'>;

interface ServiceFormProps {
  readonly service?: Service;
  /** The service whose values a new one starts with. */
  readonly like?: Service;
  onClose(): void;
}

export function ServiceForm({ service, like, onClose }: ServiceFormProps) {
  const business = useBusiness();
  const given = service ?? like;
  const kinds = useKinds();
  const currency = given?.price.currency ?? business?.currency ?? 'EUR';
  const staff = useWholeList('listStaff');
  const members = staff.data?.data ?? [];
  const services = useWholeList('listServices');
  const api = useApiForm({
    operation: service ? 'updateService' : 'createService',
    changesOnly: service !== undefined,
    initialValues: {
      name: like ? texts.copyOf(like.name) : (given?.name ?? ''),
      category: given?.category ?? '',
      description: given?.description ?? '',
      durationMinutes: (given?.durationMinutes ?? 60) as number | string,
      price: { amount: given?.price.amount, currency },
      bufferBeforeMinutes: (given?.bufferBeforeMinutes ?? 0) as number | string,
      bufferAfterMinutes: (given?.bufferAfterMinutes ?? 0) as number | string,
      capacity: (given?.capacity ?? 1) as number | string,
      resourceKind: given?.resourceKind ?? '',
      // A new service of a business with one staff member who takes bookings is theirs.
      staffIds: (
        given?.staffIds ?? (members.length === 1 ? members.filter(({ active }) => active).map(({ id }) => id) : [])
      ).map(String),
      active: given?.active ?? true,
    },
    // An empty number is sent, so that the API rejects it with an error at its field.
    toInput: ({ name, category, resourceKind, staffIds, ...values }) =>
      ({
        ...(service && { id: service.id }),
        ...values,
        name: name.trim(),
        category: category.trim() || null,
        resourceKind: resourceKind.trim() || null,
        staffIds: staffIds.map(Number),
      }) as Input<'createService'>,
    notification: ({ name }) => (service ? strings.app.saved(name) : texts.created(name)),
    onDone: onClose,
  });
  const { form } = api;
  const field = fieldsOf(api, texts);
  const categories = [...new Set(services.data?.data.flatMap(({ category }) => category ?? []))];
  const minutesProps = { suffix: texts.minutes, min: 0, step: 5 };

  return (
    <FormFrame
      api={api}
      verb={service ? strings.app.save : texts.create}
      onClose={onClose}
      aside={
        service && (
          <Group gap="xs">
            <RemoveButton operation="deleteService" entry={service} texts={texts} onDone={onClose} />
            <ButtonLink
              variant="subtle"
              leftSection={<CopyPlus size={16} />}
              to="/services"
              search={(old) => ({ ...old, service: 'new' as const, copy: service.id })}
              resetScroll={false}
            >
              {texts.duplicate}
            </ButtonLink>
          </Group>
        )
      }
    >
      <TextInput {...field('name')} required maxLength={200} data-autofocus />
      <Group grow align="flex-start">
        <NumberInput {...field('durationMinutes')} {...minutesProps} inputWrapperOrder={descriptionBelow} required />
        <MoneyInput label={texts.price} currency={currency} required {...form.getInputProps('price.amount')} />
      </Group>
      <MultiSelect {...field('staffIds')} data={choicesOf(members)} searchable clearable />
      {form.values.active && !isPerformed(form.values.staffIds.map(Number), members) && (
        <DimmedText role="status">
          {texts.unstaffedHint}{' '}
          {staff.data?.data.every(({ active }) => !active) && (
            <AnchorLink inherit to="/staff">
              {strings.calendar.toStaff}
            </AnchorLink>
          )}
        </DimmedText>
      )}
      <Autocomplete {...field('category')} data={categories} maxLength={200} />
      <Textarea {...field('description')} autosize minRows={2} maxLength={2_000} />
      <Group grow align="flex-start">
        <NumberInput {...field('bufferBeforeMinutes')} {...minutesProps} />
        <NumberInput {...field('bufferAfterMinutes')} {...minutesProps} />
      </Group>
      <Group grow align="flex-start">
        <NumberInput {...field('capacity')} inputWrapperOrder={descriptionBelow} min={1} max={500} />
        <Autocomplete
          {...field('resourceKind')}
          inputWrapperOrder={descriptionBelow}
          data={[...kinds]}
          maxLength={50}
        />
      </Group>
      <Switch {...field('active', { type: 'checkbox' })} />
    </FormFrame>
  );
}
