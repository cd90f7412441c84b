/** The profile that clients and integrations see. */
import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { Business } from '../../app/business.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

export function ProfileForm({ business }: { readonly business: Business }) {
  const api = useApiForm({
    operation: 'updateBusiness',
    changesOnly: true,
    initialValues: {
      name: business.name,
      description: business.description,
      phone: business.phone ?? '',
      email: business.email ?? '',
      address: business.address ?? '',
    },
    toInput: ({ name, description, phone, email, address }) => ({
      name: name.trim(),
      description,
      phone: phone.trim() || null,
      email: email.trim() || null,
      address: address.trim() || null,
    }),
    onSuccess: () => notify(texts.profileSaved),
  });
  const { form } = api;
  return (
    <FormSection api={api} title={texts.profile} description={texts.profileText}>
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
