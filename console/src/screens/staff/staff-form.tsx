/** The form for a new or existing staff member. */
import { MultiSelect, Switch, TextInput } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { choicesOf } from '../../components/choices.ts';
import { FormFrame } from '../../components/form-frame.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.staff;
/** The API adds and removes at most so many services of a staff member in one request. */
const changesMax = 45;

export type StaffMember = Answer<'getStaffMember'>;

interface StaffFormProps {
  readonly member?: StaffMember;
  onDone(member: StaffMember): void;
  onClose(): void;
}

export function StaffForm({ member, onDone, onClose }: StaffFormProps) {
  const services = useWholeList('listServices');
  const api = useApiForm({
    operation: member ? 'updateStaffMember' : 'createStaffMember',
    changesOnly: member !== undefined,
    initialValues: {
      name: member?.name ?? '',
      position: member?.position ?? '',
      photoUrl: member?.photoUrl ?? '',
      serviceIds: (member?.serviceIds ?? []).map(String),
      active: member?.active ?? true,
    },
    validate: ({ serviceIds }) => {
      const before = (member?.serviceIds ?? []).map(String);
      const unchanged = serviceIds.filter((id) => before.includes(id)).length;
      const changes = serviceIds.length + before.length - 2 * unchanged;
      return { serviceIds: changes > changesMax ? texts.tooManyServices(changesMax) : undefined };
    },
    toInput: ({ name, position, photoUrl, serviceIds, active }) => ({
      ...(member && { id: member.id }),
      name: name.trim(),
      position: position.trim() || null,
      photoUrl: photoUrl.trim() || null,
      serviceIds: serviceIds.map(Number),
      active,
    }),
    notification: (done) => (member ? strings.app.saved(done.name) : texts.created(done.name)),
    onDone,
  });
  const field = fieldsOf(api, texts);
  return (
    <FormFrame api={api} verb={member ? strings.app.save : texts.create} onClose={onClose}>
      <TextInput {...field('name')} required maxLength={200} data-autofocus />
      <TextInput {...field('position')} maxLength={200} />
      <MultiSelect {...field('serviceIds')} data={choicesOf(services.data?.data)} searchable clearable />
      <TextInput {...field('photoUrl')} type="url" maxLength={2_048} />
      <Switch {...field('active', { type: 'checkbox' })} />
    </FormFrame>
  );
}
