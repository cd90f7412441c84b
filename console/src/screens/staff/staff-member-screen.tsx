/** One staff member: services, weekly hours and exceptions. */
import { Anchor, Button, Paper, Stack } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { strings } from '../../strings/strings.ts';
import { Exceptions } from './exceptions.tsx';
import { StaffForm, type StaffMember } from './staff-form.tsx';
import { ratingOf } from './staff-screen.tsx';
import { WeeklyHours } from './weekly-hours.tsx';

const texts = strings.staff;
const route = getRouteApi('/staff/$staffId');

export function StaffMemberScreen() {
  const { staffId } = route.useParams();
  const member = useApi('getStaffMember', { id: Number(staffId) });
  return (
    <Page
      back={<BackLink to="/staff" label={texts.back} />}
      title={member.data?.name ?? strings.screens.staff}
      description={member.data?.position}
      actions={member.data && <MemberActions member={member.data} />}
    >
      <QueryState query={member}>{(found) => <Member member={found} />}</QueryState>
    </Page>
  );
}

function Member({ member }: { readonly member: StaffMember }) {
  const services = useApi('listServices', { limit: 100 });
  const schedule = useApi('getStaffSchedule', { id: member.id });
  const does = services.data?.data.filter(({ id }) => member.serviceIds.includes(id)) ?? [];
  return (
    <>
      <Paper component="section" aria-label={texts.details}>
        <FactList
          facts={[
            [
              texts.columns.status,
              <StatusBadge
                key="status"
                tone={member.active ? 'good' : 'none'}
                label={member.active ? strings.business.active : strings.business.inactive}
              />,
            ],
            [
              texts.does,
              <Stack gap={2} key="services">
                {does.map(({ id, name }) => (
                  <Anchor key={id} renderRoot={(props) => <Link to="/services" search={{ service: id }} {...props} />}>
                    {name}
                  </Anchor>
                ))}
                {member.serviceIds.length === 0 && texts.noServices}
              </Stack>,
            ],
            [texts.columns.rating, ratingOf(member)],
          ]}
        />
      </Paper>
      <QueryState query={schedule}>
        {(found) => (
          <>
            <WeeklyHours key={`weekly-${member.id}`} staffId={member.id} weekly={found.weekly} />
            <Exceptions staffId={member.id} schedule={found} />
          </>
        )}
      </QueryState>
    </>
  );
}

function MemberActions({ member }: { readonly member: StaffMember }) {
  const { id, name } = member;
  const [doing, setDoing] = useState<'change' | 'remove'>();
  const navigate = route.useNavigate();
  const remove = useApiMutation('deleteStaffMember');
  const stop = () => setDoing(undefined);
  return (
    <>
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={() => setDoing('change')}>
        {texts.change}
      </Button>
      <Button
        variant="light"
        color="red"
        leftSection={<Trash2 size={16} />}
        onClick={() => {
          remove.reset();
          setDoing('remove');
        }}
      >
        {texts.remove}
      </Button>
      <FormDrawer opened={doing === 'change'} title={texts.changeTitle} onClose={stop}>
        <StaffForm member={member} onDone={stop} onClose={stop} />
      </FormDrawer>
      <ConfirmAction
        opened={doing === 'remove'}
        title={texts.removeTitle}
        description={texts.removeText(name)}
        consequences={texts.removeConsequences}
        verb={texts.removeVerb}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { id },
            {
              onSuccess: () => {
                notify(texts.removed(name));
                void navigate({ to: '/staff' });
              },
            },
          )
        }
        onClose={stop}
      />
    </>
  );
}
