/** One staff member: services, weekly hours and exceptions. */
import { Button, Paper, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useApi, useWholeList } from '../../api/hooks.ts';
import { ActiveBadge } from '../../components/active-badge.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { RemoveButton } from '../../components/remove-button.tsx';
import { strings } from '../../strings/strings.ts';
import { BusyElsewhere } from './busy-elsewhere.tsx';
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
  const services = useWholeList('listServices');
  const schedule = useApi('getStaffSchedule', { id: member.id });
  const does = services.data?.data.filter(({ id }) => member.serviceIds.includes(id)) ?? [];
  return (
    <>
      <Paper component="section" aria-label={strings.app.details}>
        <FactList
          facts={[
            [texts.columns.status, <ActiveBadge key="status" active={member.active} />],
            [
              texts.serviceIds,
              <Stack gap={2} key="services">
                {does.map(({ id, name }) => (
                  <AnchorLink key={id} to="/services" search={{ service: id }}>
                    {name}
                  </AnchorLink>
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
            <BusyElsewhere staffId={member.id} />
          </>
        )}
      </QueryState>
    </>
  );
}

function MemberActions({ member }: { readonly member: StaffMember }) {
  const [isChanging, setChanging] = useState(false);
  const navigate = route.useNavigate();
  const stop = () => setChanging(false);
  return (
    <>
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={() => setChanging(true)}>
        {strings.app.edit}
      </Button>
      <RemoveButton
        operation="deleteStaffMember"
        entry={member}
        texts={texts}
        variant="light"
        onDone={() => void navigate({ to: '/staff' })}
      />
      <FormDrawer opened={isChanging} title={texts.changeTitle} onClose={stop}>
        <StaffForm member={member} onDone={stop} onClose={stop} />
      </FormDrawer>
    </>
  );
}
