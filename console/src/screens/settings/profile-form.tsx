/** The profile that clients and integrations see. */
import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { Business } from '../../app/business.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { descriptionBelow, fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { phoneProblem } from '../../format/phone.ts';
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
    validate: ({ phone }) => ({ phone: phoneProblem(phone, business.phone) }),
    toInput: ({ name, description, phone, email, address }) => ({
      name: name.trim(),
      description,
      phone: phone.trim() || null,
      email: email.trim() || null,
      address: address.trim() || null,
    }),
    notification: () => texts.profileSaved,
  });
  const field = fieldsOf(api, texts);
  return (
    <FormSection api={api} title={texts.profile} description={texts.profileText}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...field('name')} required maxLength={200} />
        <TextInput {...field('email')} type="email" maxLength={254} />
        <TextInput {...field('phone')} inputWrapperOrder={descriptionBelow} type="tel" maxLength={32} />
        <TextInput {...field('address')} inputWrapperOrder={descriptionBelow} maxLength={200} />
      </SimpleGrid>
      <Textarea {...field('description')} autosize minRows={2} maxLength={2_000} />
    </FormSection>
  );
}
