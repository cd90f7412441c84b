/** The log of requests with API keys. */
import { Select } from '@mantine/core';
import { ArrowLeftRight } from 'lucide-react';
import { useApiList, useWholeList } from '../../api/hooks.ts';
import { statusClasses } from '../../app/search.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { choicesOf } from '../../components/choices.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterField } from '../../components/filter-field.tsx';
import { FilteredList } from '../../components/filtered-list.tsx';
import { ButtonLink, RowLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { half, PeriodFields } from '../../components/period-fields.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { periodOf } from '../../format/days.ts';
import { milliseconds, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type LoggedRequest, RequestDrawer } from './request-drawer.tsx';

const texts = strings.requests;

export function RequestsScreen() {
  const [{ open, from, to, ...filters }, set, clear] = useScreenSearch('/requests');
  const { exact, zone } = useTimes();
  const keys = useWholeList('listApiKeys');
  const list = useApiList('listRequests', { ...filters, ...periodOf({ from, to }, zone), limit: 50 });
  const nameOf = ({ apiKeyId, bySession }: LoggedRequest) => {
    if (apiKeyId === null) return texts.console;
    const name = keys.data?.data.find(({ id }) => id === apiKeyId)?.name ?? texts.key(apiKeyId);
    return bySession ? `${name}, ${texts.bySession}` : name;
  };
  const columns: readonly Column<LoggedRequest>[] = [
    {
      name: texts.columns.request,
      cell: ({ requestId, method, path }) => (
        <RowLink to="/requests" search={(old) => ({ ...old, open: requestId })} resetScroll={false}>
          {`${method} ${path?.replace(/^\/v1\/\w+/, '') ?? texts.unknownPath}`}
        </RowLink>
      ),
    },
    {
      name: texts.columns.status,
      cell: ({ status, code }) => (
        <>
          <StatusBadge tone={status < 400 ? 'good' : 'bad'} label={String(status)} />
          {code && <DimmedText size="xs">{code}</DimmedText>}
        </>
      ),
    },
    { name: texts.columns.key, visibleFrom: 'md', cell: nameOf },
    {
      name: texts.columns.duration,
      visibleFrom: 'md',
      isNumeric: true,
      cell: ({ durationMs }) => milliseconds(durationMs),
    },
    { name: texts.columns.when, visibleFrom: 'sm', isFolded: true, cell: ({ at }) => exact(at) },
  ];
  return (
    <Page title={strings.screens.requests} description={`${texts.intro} ${strings.app.inZone(zone)}`}>
      <FilteredList
        list={list}
        values={[...Object.values(filters), from, to]}
        texts={texts}
        onClear={clear}
        empty={
          <EmptyState icon={ArrowLeftRight} title={texts.emptyTitle} hint={texts.emptyHint}>
            <ButtonLink to="/api-keys">{texts.toKeys}</ButtonLink>
          </EmptyState>
        }
        table={(entries) => (
          <TableList
            label={strings.screens.requests}
            columns={columns}
            entries={entries}
            keyOf={({ requestId }) => requestId}
          />
        )}
      >
        <Select
          label={texts.columns.key}
          placeholder={texts.any}
          clearable
          searchable
          w={{ base: half, sm: 190 }}
          value={filters.apiKeyId ? String(filters.apiKeyId) : null}
          data={choicesOf(keys.data?.data)}
          onChange={(value) => set({ apiKeyId: value ? Number(value) : undefined })}
        />
        <Select
          label={texts.columns.status}
          placeholder={texts.any}
          clearable
          w={{ base: half, sm: 180 }}
          value={filters.statusClass ?? null}
          data={statusClasses.map((value) => ({ value, label: texts.statusClasses[value] }))}
          onChange={(value) => set({ statusClass: value ?? undefined })}
        />
        <FilterField label={texts.code} value={filters.code} onChange={(code) => set({ code })} />
        <FilterField label={texts.requestId} value={filters.requestId} onChange={(requestId) => set({ requestId })} />
        <PeriodFields from={from} to={to} onChange={set} />
      </FilteredList>
      <RequestDrawer
        request={list.data?.entries.find(({ requestId }) => requestId === open)}
        nameOf={nameOf}
        onClose={() => set({ open: undefined })}
      />
    </Page>
  );
}
