/** The services of the business. */
import { Text } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useApi, useWholeList } from '../../api/hooks.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { ActiveBadge } from '../../components/active-badge.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { AnchorLink, RowLink } from '../../components/link.tsx';
import { ListScreen } from '../../components/list-screen.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-list.tsx';
import { usePreviousDefined } from '../../components/use-previous-defined.ts';
import { minutes } from '../../format/durations.ts';
import { money } from '../../format/money.ts';
import { strings } from '../../strings/strings.ts';
import { isPerformed } from './performed.ts';
import { ServiceForm } from './service-form.tsx';

const texts = strings.services;
/** The maximum of staff names that are listed for a service. */
const namesShown = 2;

type Service = Answer<'getService'>;

export function ServicesScreen() {
  const [{ service: opened, copy }, set] = useScreenSearch('/services');
  const services = useWholeList('listServices');
  const staff = useWholeList('listStaff');
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
      cell: ({ id, name, capacity, resourceKind }) => {
        const needs = [capacity > 1 && strings.bookings.places(capacity), resourceKind].filter(Boolean).join(' · ');
        return (
          <>
            <RowLink to="/services" search={(old) => ({ ...old, service: id })} resetScroll={false}>
              {name}
            </RowLink>
            {needs && <DimmedText>{needs}</DimmedText>}
          </>
        );
      },
    },
    {
      name: texts.columns.duration,
      visibleFrom: 'sm',
      isFolded: true,
      cell: ({ durationMinutes }) => minutes(durationMinutes),
      sortBy: ({ durationMinutes }) => durationMinutes,
    },
    {
      name: texts.columns.price,
      visibleFrom: 'sm',
      isFolded: true,
      isNumeric: true,
      cell: ({ price }) => money(price),
      sortBy: ({ price }) => price.amount,
    },
    { name: texts.columns.staff, visibleFrom: 'md', cell: doneBy },
    {
      name: texts.columns.status,
      cell: ({ id, active, staffIds }) =>
        active && !isPerformed(staffIds, staff.data?.data) ? <Unstaffed id={id} /> : <ActiveBadge active={active} />,
    },
  ];
  const close = () => set({ service: undefined, copy: undefined });
  const shown = usePreviousDefined(opened);
  const id = typeof shown === 'number' ? shown : copy;
  const service = useApi('getService', { id: id ?? 0 }, { enabled: id !== undefined && opened !== undefined });
  return (
    <ListScreen
      screen="services"
      texts={texts}
      query={services}
      columns={columns}
      groupOf={({ category }) => category ?? ''}
      add={() => set({ service: 'new' })}
    >
      <FormDrawer
        // The form of a new service proposes its staff when it opens.
        opened={opened !== undefined && !staff.isPending}
        title={typeof shown === 'number' ? (service.data?.name ?? texts.columns.name) : texts.createTitle}
        onClose={close}
      >
        {id === undefined ? (
          <ServiceForm onClose={close} />
        ) : (
          <QueryState query={service}>
            {(found) =>
              typeof shown === 'number' ? (
                <ServiceForm key={id} service={found} onClose={close} />
              ) : (
                <ServiceForm key={`copy-${id}`} like={found} onClose={close} />
              )
            }
          </QueryState>
        )}
      </FormDrawer>
    </ListScreen>
  );
}

function Unstaffed({ id }: { readonly id: number }) {
  return (
    <>
      <StatusBadge tone="waiting" label={texts.unstaffed} />
      <AnchorLink
        className="above-row-link"
        size="sm"
        to="/services"
        search={(old) => ({ ...old, service: id })}
        resetScroll={false}
      >
        {texts.assignStaff}
      </AnchorLink>
    </>
  );
}
