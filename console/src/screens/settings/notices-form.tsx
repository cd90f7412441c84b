/** The form for the address of emails about webhooks and API keys. */
import { TextInput } from '@mantine/core';
import type { Business } from '../../app/business.tsx';
import { AddressOff } from '../../components/address-off.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { descriptionBelow, fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

export function NoticesForm({ business: { noticeEmail, noticeEmailOff } }: { readonly business: Business }) {
  const api = useApiForm({
    operation: 'updateBusiness',
    initialValues: { noticeEmail: noticeEmail ?? '' },
    toInput: (values) => ({ noticeEmail: values.noticeEmail.trim() || null }),
    notification: () => texts.noticesSaved,
  });
  const field = fieldsOf(api, texts);
  return (
    <FormSection api={api} title={texts.notices} description={texts.noticesText}>
      <AddressOff address={noticeEmail} off={noticeEmailOff} operation="updateBusiness" input={{ noticeEmail }} />
      <TextInput
        {...field('noticeEmail')}
        inputWrapperOrder={descriptionBelow}
        type="email"
        maxLength={254}
        maw={420}
      />
    </FormSection>
  );
}
