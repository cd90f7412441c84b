/** The form for a new or existing client. */
import { TextInput } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { phoneProblem } from '../../format/phone.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.clients;

type Client = Answer<'getClient'>;

interface ClientFormProps {
  readonly client?: Client;
  onDone(client: Client): void;
  onClose(): void;
}

export function ClientForm({ client, onDone, onClose }: ClientFormProps) {
  const api = useApiForm({
    operation: client ? 'updateClient' : 'createClient',
    changesOnly: client !== undefined,
    initialValues: { name: client?.name ?? '', phone: client?.phone ?? '', email: client?.email ?? '' },
    validate: ({ phone, email }) => ({
      phone: client || phone.trim() || email.trim() ? phoneProblem(phone, client?.phone) : texts.needed,
    }),
    toInput: (values) => {
      const name = values.name.trim();
      const [phone, email] = [values.phone.trim(), values.email.trim()];
      return client
        ? { id: client.id, name, phone: phone || null, email: email || null }
        : { name, ...(phone && { phone }), ...(email && { email }) };
    },
    notification: (done) => (client ? strings.app.saved(done.name) : texts.created(done.name)),
    onDone,
  });
  const { error } = api;
  const field = fieldsOf(api, texts);
  const known = error?.code === 'client_exists' ? (error.details as { clientId: number }).clientId : undefined;
  return (
    <FormFrame api={api} verb={client ? strings.app.save : texts.create} onClose={onClose}>
      <DimmedText>{client ? texts.pastContact : texts.contactRequired}</DimmedText>
      <TextInput {...field('name')} required maxLength={200} autoComplete="off" data-autofocus />
      <TextInput {...field('phone')} type="tel" maxLength={32} autoComplete="off" />
      <TextInput {...field('email')} type="email" maxLength={254} autoComplete="off" />
      {known !== undefined && (
        <AnchorLink to="/clients/$clientId" params={{ clientId: String(known) }}>
          {texts.known}
        </AnchorLink>
      )}
    </FormFrame>
  );
}
