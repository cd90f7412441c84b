/** The colleagues who can sign in, and their roles. */
import { Anchor, Button, Text } from '@mantine/core';
import { Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormModal } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Colleague, ColleagueForm } from './colleague-form.tsx';

const texts = strings.team;

export function TeamScreen() {
  const { dateTime } = useTimes();
  const team = useApi('listTeam', { limit: 100 });
  const staff = useApi('listStaff', { limit: 100 });
  const me = useApi('getMe', undefined);
  const remove = useApiMutation('removeColleague');
  const [editing, setEditing] = useState<Colleague | 'new'>();
  const [removing, setRemoving] = useState<Colleague>();
  const nameOf = (staffId: number | null) => staff.data?.data.find(({ id }) => id === staffId)?.name;
  const columns: readonly Column<Colleague>[] = [
    {
      name: texts.columns.email,
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
            style={{ overflowWrap: 'anywhere' }}
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
          {staffId !== null && (
            <Text size="sm" c="dimmed">
              {nameOf(staffId)}
            </Text>
          )}
        </>
      ),
    },
    { name: texts.columns.since, visibleFrom: 'sm', cell: ({ invitedAt }) => dateTime(invitedAt) },
  ];
  const button = (
    <Button leftSection={<Plus size={18} />} onClick={() => setEditing('new')}>
      {texts.invite}
    </Button>
  );
  const close = () => setEditing(undefined);
  const edited = editing === 'new' ? undefined : editing;
  return (
    <Page title={strings.screens.team} description={texts.intro} actions={button}>
      <QueryState
        query={team}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState icon={UsersRound} title={texts.emptyTitle} hint={texts.emptyHint}>
            {button}
          </EmptyState>
        }
      >
        {({ data }) => (
          <TableList label={strings.screens.team} columns={columns} entries={data} keyOf={({ id }) => id} />
        )}
      </QueryState>
      <FormModal
        opened={editing !== undefined}
        onClose={close}
        title={edited ? texts.changeTitle : texts.invite}
        size="lg"
      >
        <ColleagueForm colleague={edited} onClose={close} />
        {edited && (
          <Button
            mt="md"
            variant="light"
            color="red"
            onClick={() => {
              remove.reset();
              close();
              setRemoving(edited);
            }}
          >
            {texts.remove}
          </Button>
        )}
      </FormModal>
      <ConfirmAction
        opened={removing !== undefined}
        title={texts.removeTitle}
        description={texts.removeText(removing?.email ?? '')}
        verb={texts.removeVerb}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          removing &&
          remove.mutate(
            { id: removing.id },
            {
              onSuccess: () => {
                notify(texts.removed(removing.email));
                setRemoving(undefined);
              },
            },
          )
        }
        onClose={() => setRemoving(undefined)}
      />
    </Page>
  );
}
