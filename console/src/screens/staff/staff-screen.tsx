/** The list of staff. */
import { Anchor, Avatar, Button, Group, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, UserRoundCog } from 'lucide-react';
import { useApi } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { NeedsBusiness } from '../../components/needs-business.tsx';
import { Page } from '../../components/page.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { strings } from '../../strings/strings.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

const texts = strings.staff;
const route = getRouteApi('/staff');
const limit = 50;

const columns: readonly Column<StaffMember>[] = [
  {
    name: texts.columns.name,
    sortBy: ({ name }) => name,
    cell: ({ id, name, position }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar name={name} color="teal" aria-hidden />
        <div>
          <Anchor
            className="row-link"
            fw={600}
            renderRoot={(props) => <Link to="/staff/$staffId" params={{ staffId: String(id) }} {...props} />}
          >
            {name}
          </Anchor>
          {position && (
            <Text size="sm" c="dimmed">
              {position}
            </Text>
          )}
        </div>
      </Group>
    ),
  },
  {
    name: texts.columns.services,
    visibleFrom: 'sm',
    cell: ({ serviceIds: { length } }) =>
      length === 0 ? <Text c="dimmed">{texts.noServices}</Text> : texts.services(length),
  },
  {
    name: texts.columns.rating,
    visibleFrom: 'md',
    cell: (member) => ratingOf(member),
    sortBy: ({ rating }) => rating ?? 0,
  },
  {
    name: texts.columns.status,
    cell: ({ active }) => (
      <StatusBadge
        tone={active ? 'good' : 'none'}
        label={active ? strings.business.active : strings.business.inactive}
      />
    ),
  },
];

export function ratingOf({ rating, reviewsCount }: StaffMember): string {
  return rating === null ? texts.noRating : texts.rating(rating.toFixed(1), reviewsCount);
}

export function StaffScreen() {
  const business = useBusiness();
  const { page = 1, add } = route.useSearch();
  const navigate = route.useNavigate();
  const staff = useApi('listStaff', { page, limit }, { keepPrevious: true });
  const close = () => void navigate({ search: ({ add: _, ...rest }) => rest, resetScroll: false });
  const button = (
    <Button
      leftSection={<Plus size={18} />}
      onClick={() => void navigate({ search: (old) => ({ ...old, add: true }), resetScroll: false })}
    >
      {texts.create}
    </Button>
  );
  return (
    <Page title={strings.screens.staff} description={texts.intro} actions={business && button}>
      <NeedsBusiness>
        {() => (
          <>
            <QueryState
              query={staff}
              isEmpty={({ total }) => total === 0}
              empty={
                <EmptyState icon={UserRoundCog} title={texts.emptyTitle} hint={texts.emptyHint}>
                  {button}
                </EmptyState>
              }
            >
              {({ data, total }) => (
                <>
                  <TableList
                    label={strings.screens.staff}
                    columns={columns}
                    entries={data}
                    keyOf={({ id }) => id}
                    isWhole={total <= limit}
                  />
                  <Pagination
                    page={page}
                    total={total}
                    limit={limit}
                    onChange={(next) => void navigate({ search: { page: next } })}
                  />
                </>
              )}
            </QueryState>
            <FormDrawer opened={add === true} title={texts.createTitle} onClose={close}>
              <StaffForm
                onClose={close}
                onDone={({ id }) => void navigate({ to: '/staff/$staffId', params: { staffId: String(id) } })}
              />
            </FormDrawer>
          </>
        )}
      </NeedsBusiness>
    </Page>
  );
}
