/** A service, new or to be changed. */
import { Autocomplete, Button, Group, MultiSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Answer, Input } from '../../api/call.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { notify } from '../../components/notify.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.services;

type Service = Answer<'getService'>;

export interface ServiceFormProps {
  readonly service?: Service;
  onClose(): void;
}

export function ServiceForm({ service, onClose }: ServiceFormProps) {
  const business = useBusiness();
  const currency = service?.price.currency ?? business?.currency ?? 'EUR';
  const staff = useApi('listStaff', { limit: 100 });
  const services = useApi('listServices', { limit: 100 });
  const api = useApiForm({
    operation: service ? 'updateService' : 'createService',
    initialValues: {
      name: service?.name ?? '',
      category: service?.category ?? '',
      description: service?.description ?? '',
      durationMinutes: (service?.durationMinutes ?? 60) as number | string,
      price: { amount: service?.price.amount, currency },
      bufferBeforeMinutes: (service?.bufferBeforeMinutes ?? 0) as number | string,
      bufferAfterMinutes: (service?.bufferAfterMinutes ?? 0) as number | string,
      capacity: (service?.capacity ?? 1) as number | string,
      staffIds: (service?.staffIds ?? []).map(String),
      active: service?.active ?? true,
    },
    // An empty number is sent as it is, and refused beside its field.
    toInput: ({ name, category, staffIds, ...values }) =>
      ({
        ...(service && { id: service.id }),
        ...values,
        name: name.trim(),
        category: category.trim() || null,
        staffIds: staffIds.map(Number),
      }) as Input<'createService'>,
    onSuccess: ({ name }) => {
      notify(service ? texts.saved(name) : texts.created(name));
      onClose();
    },
  });
  const { form } = api;
  const categories = [...new Set(services.data?.data.flatMap(({ category }) => category ?? []))];
  const minutesProps = { suffix: texts.minutes, min: 0, step: 5, allowDecimal: false, allowNegative: false };

  return (
    <FormFrame
      api={api}
      verb={service ? strings.app.save : texts.create}
      onClose={onClose}
      aside={service && <DeleteService service={service} onDone={onClose} />}
    >
      <TextInput label={texts.name} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <Group grow align="flex-start">
        <NumberInput
          label={texts.duration}
          description={texts.durationHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          {...minutesProps}
          {...form.getInputProps('durationMinutes')}
        />
        <MoneyInput label={texts.price} currency={currency} required {...form.getInputProps('price.amount')} />
      </Group>
      <MultiSelect
        label={texts.staff}
        description={texts.staffHint}
        data={staff.data?.data.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
        searchable
        clearable
        {...form.getInputProps('staffIds')}
      />
      <Autocomplete
        label={texts.category}
        description={texts.categoryHint}
        data={categories}
        maxLength={200}
        {...form.getInputProps('category')}
      />
      <Textarea
        label={texts.description}
        description={texts.descriptionHint}
        autosize
        minRows={2}
        maxLength={2_000}
        {...form.getInputProps('description')}
      />
      <Group grow align="flex-start">
        <NumberInput label={texts.before} {...minutesProps} {...form.getInputProps('bufferBeforeMinutes')} />
        <NumberInput label={texts.after} {...minutesProps} {...form.getInputProps('bufferAfterMinutes')} />
      </Group>
      <NumberInput
        label={texts.capacity}
        description={texts.capacityHint}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('capacity')}
      />
      <Switch
        label={texts.active}
        description={texts.activeHint}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </FormFrame>
  );
}

function DeleteService({ service: { id, name }, onDone }: { readonly service: Service; onDone(): void }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useApiMutation('deleteService');
  const done = () => {
    setAsking(false);
    notify(texts.removed(name));
    onDone();
  };
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<Trash2 size={16} />}
        onClick={() => {
          remove.reset();
          setAsking(true);
        }}
      >
        {texts.remove}
      </Button>
      <ConfirmAction
        opened={isAsking}
        title={texts.removeTitle}
        description={texts.removeText(name)}
        consequences={texts.removeConsequences}
        verb={texts.removeVerb}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id }, { onSuccess: done })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
