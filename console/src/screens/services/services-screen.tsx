/** The services of the business. */
import { Anchor, Button, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Scissors } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
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
import { usePreviousDefined } from '../../components/use-previous-defined.ts';
import { minutes } from '../../format/durations.ts';
import { money } from '../../format/money.ts';
import { strings } from '../../strings/strings.ts';
import { ServiceForm } from './service-form.tsx';

const texts = strings.services;
const route = getRouteApi('/services');
const limit = 50;
/** How many names of staff are listed for a service. */
const namesShown = 2;

type Service = Answer<'getService'>;

export function ServicesScreen() {
  const business = useBusiness();
  const navigate = route.useNavigate();
  const add = (
    <Button
      leftSection={<Plus size={18} />}
      onClick={() => void navigate({ search: (old) => ({ ...old, service: 'new' }), resetScroll: false })}
    >
      {texts.create}
    </Button>
  );
  return (
    <Page title={strings.screens.services} description={texts.intro} actions={business && add}>
      <NeedsBusiness>
        {() => (
          <>
            <ServiceList add={add} />
            <ServiceDrawer />
          </>
        )}
      </NeedsBusiness>
    </Page>
  );
}

function ServiceList({ add }: { readonly add: ReactNode }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const services = useApi('listServices', { page, limit }, { keepPrevious: true });
  const staff = useApi('listStaff', { limit: 100 });
  const nameOf = new Map(staff.data?.data.map(({ id, name }) => [id, name]));

  const doneBy = ({ staffIds }: Service) => {
    if (staffIds.length === 0) return <Text c="dimmed">{texts.noStaff}</Text>;
    const names = staffIds.flatMap((id) => nameOf.get(id) ?? []);
    const shown = names.slice(0, namesShown).join(', ');
    return names.length > namesShown ? texts.others(shown, names.length - namesShown) : shown;
  };
  const columns: readonly Column<Service>[] = [
    {
      name: texts.columns.name,
      sortBy: ({ name }) => name,
      cell: ({ id, name, category, durationMinutes, price }) => (
        <>
          <Anchor
            className="row-link"
            fw={600}
            renderRoot={(props) => (
              <Link to="/services" search={(old) => ({ ...old, service: id })} resetScroll={false} {...props} />
            )}
          >
            {name}
          </Anchor>
          {category && (
            <Text size="sm" c="dimmed">
              {category}
            </Text>
          )}
          <Text size="sm" hiddenFrom="sm">
            {minutes(durationMinutes)} · {money(price)}
          </Text>
        </>
      ),
    },
    {
      name: texts.columns.duration,
      visibleFrom: 'sm',
      cell: ({ durationMinutes }) => minutes(durationMinutes),
      sortBy: ({ durationMinutes }) => durationMinutes,
    },
    {
      name: texts.columns.price,
      visibleFrom: 'sm',
      isNumeric: true,
      cell: ({ price }) => money(price),
      sortBy: ({ price }) => price.amount,
    },
    { name: texts.columns.staff, visibleFrom: 'md', cell: doneBy },
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
  return (
    <QueryState
      query={services}
      isEmpty={({ total }) => total === 0}
      empty={
        <EmptyState icon={Scissors} title={texts.emptyTitle} hint={texts.emptyHint}>
          {add}
        </EmptyState>
      }
    >
      {({ data, total }) => (
        <>
          <TableList
            label={strings.screens.services}
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
  );
}

function ServiceDrawer() {
  const { service: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = usePreviousDefined(opened);
  const id = typeof shown === 'number' ? shown : undefined;
  const service = useApi('getService', { id: id ?? 0 }, { enabled: id !== undefined && opened !== undefined });
  const close = () => void navigate({ search: ({ service: _, ...rest }) => rest, resetScroll: false });
  return (
    <FormDrawer
      opened={opened !== undefined}
      title={id === undefined ? texts.createTitle : (service.data?.name ?? '')}
      onClose={close}
    >
      {id === undefined ? (
        <ServiceForm onClose={close} />
      ) : (
        <QueryState query={service}>{(found) => <ServiceForm key={id} service={found} onClose={close} />}</QueryState>
      )}
    </FormDrawer>
  );
}
