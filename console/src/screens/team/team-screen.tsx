/** The colleagues who can sign in, and their roles. */
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useApi, useWholeList } from '../../api/hooks.ts';
import { mode } from '../../app/mode.ts';
import { DateTime } from '../../components/date-time.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormModal } from '../../components/form-frame.tsx';
import { ListScreen } from '../../components/list-screen.tsx';
import type { Column } from '../../components/table-list.tsx';
import { strings } from '../../strings/strings.ts';
import { type Colleague, ColleagueForm } from './colleague-form.tsx';

const texts = strings.team;

/** This is more than the maximum of colleagues of a business. */
const limit = 100;

export function TeamScreen() {
  const team = useApi('listTeam', { limit });
  const staff = useWholeList('listStaff');
  const me = useApi('getMe', undefined);
  const [editing, setEditing] = useState<Colleague | 'new'>();
  const nameOf = (staffId: number | null) => staff.data?.data.find(({ id }) => id === staffId)?.name;
  const columns: readonly Column<Colleague>[] = [
    {
      name: texts.columns.email,
      sortBy: ({ email }) => email,
      cell: (one) =>
        one.email === me.data?.email ? (
          one.email
        ) : (
          <Anchor
            component="button"
            className="row-link"
            fw={600}
            size="sm"
            ta="left"
            aria-label={texts.changeOf(one.email)}
            onClick={() => setEditing(one)}
          >
            {one.email}
          </Anchor>
        ),
    },
    {
      name: texts.columns.role,
      cell: ({ role, staffId }) => (
        <>
          {texts.roles[role].name}
          {staffId !== null && <DimmedText>{nameOf(staffId)}</DimmedText>}
        </>
      ),
    },
    { name: texts.columns.since, visibleFrom: 'sm', cell: ({ invitedAt }) => <DateTime at={invitedAt} /> },
  ];
  // The first owner was not invited and is therefore missing in the list.
  const isListed = team.data?.data.some(({ email }) => email === me.data?.email) ?? true;
  const own = me.data?.role === 'owner' && !isListed ? me.data.email : null;
  const intro = [texts.intro, own && texts.you(own), mode === 'test' && texts.live].filter(Boolean).join(' ');
  const close = () => setEditing(undefined);
  const edited = editing === 'new' ? undefined : editing;
  return (
    <ListScreen screen="team" texts={{ ...texts, intro }} query={team} columns={columns} add={() => setEditing('new')}>
      <FormModal
        opened={editing !== undefined}
        onClose={close}
        title={edited ? texts.changeTitle : texts.create}
        size="lg"
      >
        <ColleagueForm colleague={edited} onClose={close} />
      </FormModal>
    </ListScreen>
  );
}
