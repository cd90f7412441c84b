/** What clients and integrations see of the business. */
import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useChange } from '../../api/hooks.ts';
import type { Business } from '../../app/business.tsx';
import { FormSection } from '../../parts/form-frame.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

export function ProfileForm({ business }: { readonly business: Business }) {
  const update = useChange('updateBusiness');
  const api = useApiForm({
    initialValues: {
      name: business.name,
      description: business.description,
      phone: business.phone ?? '',
      email: business.email ?? '',
      address: business.address ?? '',
    },
    send: ({ name, description, phone, email, address }) =>
      update.mutateAsync({
        name: name.trim(),
        description,
        phone: phone.trim() || null,
        email: email.trim() || null,
        address: address.trim() || null,
      }),
    onDone: () => said(texts.profileSaved),
  });
  const { form } = api;
  return (
    <FormSection api={api} title={texts.profile} about={texts.profileAbout}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={texts.name} required maxLength={200} {...form.getInputProps('name')} />
        <TextInput label={texts.email} type="email" maxLength={254} {...form.getInputProps('email')} />
        <TextInput
          label={texts.phone}
          description={texts.phoneHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="tel"
          maxLength={32}
          {...form.getInputProps('phone')}
        />
        <TextInput
          label={texts.address}
          description={texts.addressHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          {...form.getInputProps('address')}
        />
      </SimpleGrid>
      <Textarea
        label={texts.description}
        autosize
        minRows={2}
        maxLength={2_000}
        {...form.getInputProps('description')}
      />
    </FormSection>
  );
}
