/** The rooms and other resources of the business. */
import { Text } from '@mantine/core';
import { useApi, useWholeList } from '../../api/hooks.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { ActiveBadge } from '../../components/active-badge.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { ListScreen } from '../../components/list-screen.tsx';
import { QueryState } from '../../components/query-state.tsx';
import type { Column } from '../../components/table-list.tsx';
import { usePreviousDefined } from '../../components/use-previous-defined.ts';
import { strings } from '../../strings/strings.ts';
import { type Resource, ResourceForm } from './resource-form.tsx';

const texts = strings.resources;

export function ResourcesScreen() {
  const [{ resource: opened }, set] = useScreenSearch('/resources');
  const resources = useWholeList('listResources');
  const services = useWholeList('listServices');
  const needing = (kind: string) => services.data?.data.filter(({ resourceKind }) => resourceKind === kind) ?? [];
  const close = () => set({ resource: undefined });
  const columns: readonly Column<Resource>[] = [
    {
      name: texts.columns.name,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <RowLink to="/resources" search={(old) => ({ ...old, resource: id })} resetScroll={false}>
          {name}
        </RowLink>
      ),
    },
    {
      name: texts.columns.kind,
      visibleFrom: 'sm',
      isFolded: true,
      sortBy: ({ kind }) => kind,
      cell: ({ kind }) => kind,
    },
    {
      name: texts.columns.services,
      visibleFrom: 'sm',
      cell: ({ kind }) => {
        const names = needing(kind).map(({ name }) => name);
        return names.length > 0 ? names.join(', ') : <Text c="dimmed">{texts.noServices}</Text>;
      },
    },
    { name: texts.columns.status, cell: ({ active }) => <ActiveBadge active={active} /> },
  ];
  const shown = usePreviousDefined(opened);
  const id = typeof shown === 'number' ? shown : undefined;
  const resource = useApi('getResource', { id: id ?? 0 }, { enabled: id !== undefined && opened !== undefined });
  return (
    <ListScreen
      screen="resources"
      texts={texts}
      query={resources}
      columns={columns}
      add={() => set({ resource: 'new' })}
    >
      <FormDrawer
        opened={opened !== undefined}
        title={id === undefined ? texts.create : (resource.data?.name ?? strings.calendar.room)}
        onClose={close}
      >
        {id === undefined ? (
          <ResourceForm onClose={close} />
        ) : (
          <QueryState query={resource}>
            {(found) => <ResourceForm key={id} resource={found} onClose={close} />}
          </QueryState>
        )}
      </FormDrawer>
    </ListScreen>
  );
}
