/** The form that invites a colleague or changes their role. */
import { Select, TextInput } from '@mantine/core';
import type { Answer, Input } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { type Role, roles } from '../../app/role.ts';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { choicesOf, isSearched } from '../../components/choices.ts';
import { FormFrame } from '../../components/form-frame.tsx';
import { RemoveButton } from '../../components/remove-button.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.team;

export type Colleague = Answer<'listTeam'>['data'][number];

interface ColleagueFormProps {
  readonly colleague: Colleague | undefined;
  onClose(): void;
}

export function ColleagueForm({ colleague, onClose }: ColleagueFormProps) {
  const staff = useWholeList('listStaff');
  const api = useApiForm({
    operation: colleague ? 'updateColleague' : 'inviteColleague',
    initialValues: {
      email: colleague?.email ?? '',
      role: colleague?.role ?? ('desk' as Role),
      staffId: colleague?.staffId ? String(colleague.staffId) : null,
    },
    validate: ({ role, staffId }) => ({ staffId: role === 'member' && !staffId ? texts.needsStaff : undefined }),
    toInput: ({ email, role, staffId }) => {
      const given = { role, ...(role === 'member' && { staffId: Number(staffId) }) };
      return (colleague ? { id: colleague.id, ...given } : { email: email.trim(), ...given }) as Input<
        'updateColleague' | 'inviteColleague'
      >;
    },
    notification: ({ email }) => (colleague ? texts.changed(email) : texts.invited(email)),
    onDone: onClose,
  });
  const { form } = api;
  const field = fieldsOf(api, texts);
  return (
    <FormFrame
      api={api}
      verb={colleague ? strings.app.save : texts.create}
      onClose={onClose}
      aside={
        colleague && (
          <RemoveButton
            operation="removeColleague"
            entry={{ id: colleague.id, name: colleague.email }}
            texts={texts}
            onDone={onClose}
          />
        )
      }
    >
      {!colleague && (
        <TextInput {...field('email')} type="email" required maxLength={254} autoComplete="off" data-autofocus />
      )}
      <ChoiceCards {...field('role')} values={roles} labels={texts.roles} />
      {form.values.role === 'member' && (
        <Select
          {...field('staffId')}
          required
          data={choicesOf(staff.data?.data)}
          searchable={isSearched(staff.data?.data)}
        />
      )}
    </FormFrame>
  );
}
