/** What the business offers. */
import { Anchor, Button, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Scissors } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { minutes } from '../../format/durations.ts';
import { money } from '../../format/money.ts';
import { FormDrawer } from '../../parts/form-frame.tsx';
import { NeedsBusiness } from '../../parts/needs-business.tsx';
import { Nothing } from '../../parts/nothing.tsx';
import { Page } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, TableList } from '../../parts/table-list.tsx';
import { useLast } from '../../parts/use-last.ts';
import { strings } from '../../strings/strings.ts';
import { ServiceForm } from './service-form.tsx';

const texts = strings.services;
const route = getRouteApi('/services');
const limit = 50;
/** So many names of staff stand beside a service. */
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
    <Page title={strings.screens.services} about={texts.about} actions={business && add}>
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
    if (staffIds.length === 0) return <Text c="dimmed">{texts.nobody}</Text>;
    const names = staffIds.flatMap((id) => nameOf.get(id) ?? []);
    const shown = names.slice(0, namesShown).join(', ');
    return names.length > namesShown ? texts.others(shown, names.length - namesShown) : shown;
  };
  const columns: readonly Column<Service>[] = [
    {
      name: texts.columns.name,
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
    { name: texts.columns.duration, from: 'sm', cell: ({ durationMinutes }) => minutes(durationMinutes) },
    { name: texts.columns.price, from: 'sm', atEnd: true, cell: ({ price }) => money(price) },
    { name: texts.columns.staff, from: 'md', cell: doneBy },
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
        <Nothing icon={Scissors} title={texts.emptyTitle} hint={texts.emptyHint}>
          {add}
        </Nothing>
      }
    >
      {({ data, total }) => (
        <>
          <TableList label={strings.screens.services} columns={columns} entries={data} keyOf={({ id }) => id} />
          <Pages
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
  const shown = useLast(opened);
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
