/** The deliveries to all webhooks. */
import { Select } from '@mantine/core';
import { Send } from 'lucide-react';
import { useApiList, useWholeList } from '../../api/hooks.ts';
import { deliveryStatuses, type SearchOf } from '../../app/search.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { NumberFilter } from '../../components/filter-field.tsx';
import { FilteredList } from '../../components/filtered-list.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { half, PeriodFields } from '../../components/period-fields.tsx';
import { periodOf } from '../../format/days.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { eventNames } from '../events/event-names.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryTable } from './delivery-table.tsx';

const texts = strings.deliveries;
const limit = 25;

export function DeliveriesScreen() {
  const [{ delivery, from, to, ...filters }, set, clear] = useScreenSearch('/deliveries');
  const { zone } = useTimes();
  const webhooks = useWholeList('listWebhooks');
  const targets = new Map(webhooks.data?.data.map(({ id, targetUrl }) => [id, targetUrl]));
  const off = webhooks.data?.data.filter(({ status }) => status !== 'active').map(({ id }) => id);
  const list = useApiList('listAllDeliveries', {
    ...filters,
    groupBy: 'delivery',
    limit,
    ...periodOf({ from, to }, zone),
  });
  const listed = list.data?.entries ?? [];
  const at = listed.findIndex(({ deliveryId }) => deliveryId === delivery);
  const openAt = (position: number, of = listed) => {
    const found = of[position];
    if (found) set({ delivery: found.deliveryId });
  };
  const openOlder = async () => {
    const more = at + 1 < listed.length ? list : await list.fetchNextPage();
    openAt(at + 1, more.data?.entries);
  };
  return (
    <Page title={strings.screens.deliveries} description={`${texts.intro} ${strings.app.inZone(zone)}`}>
      <FilteredList
        list={list}
        values={[...Object.values(filters), from, to]}
        texts={texts}
        onClear={clear}
        empty={
          <EmptyState icon={Send} title={texts.emptyTitle} hint={texts.emptyHint}>
            <ButtonLink to="/webhooks">{texts.toWebhooks}</ButtonLink>
          </EmptyState>
        }
        table={(entries) => <DeliveryTable deliveries={entries} targets={targets} />}
      >
        <Select
          label={texts.columns.webhook}
          placeholder={texts.any}
          clearable
          searchable
          w={{ base: '100%', sm: 210 }}
          value={filters.webhookId ? String(filters.webhookId) : null}
          data={[...targets].map(([id, target]) => ({ value: String(id), label: strings.webhooks.addressOf(target) }))}
          onChange={(value) => set({ webhookId: value ? Number(value) : undefined })}
        />
        <Select
          label={texts.columns.status}
          placeholder={texts.any}
          clearable
          w={{ base: half, sm: 160 }}
          value={filters.deliveryStatus ?? null}
          data={deliveryStatuses.map((value) => ({ value, label: texts.statuses[value] }))}
          onChange={(value) => set({ deliveryStatus: value ?? undefined })}
        />
        <Select
          label={texts.columns.event}
          placeholder={texts.any}
          clearable
          searchable
          w={{ base: half, sm: 180 }}
          value={filters.event ?? null}
          data={[...eventNames, 'ping' as const]}
          onChange={(value) => set({ event: (value ?? undefined) as SearchOf<'/deliveries'>['event'] })}
        />
        <NumberFilter
          label={strings.bookings.number}
          placeholder={texts.any}
          value={filters.bookingId}
          onChange={(bookingId) => set({ bookingId })}
        />
        <PeriodFields from={from} to={to} onChange={set} />
      </FilteredList>
      <DeliveryDrawer
        deliveryId={delivery}
        targets={targets}
        off={off}
        newer={at > 0 ? () => openAt(at - 1) : undefined}
        older={at >= 0 && (at + 1 < listed.length || list.hasNextPage) ? () => void openOlder() : undefined}
        onClose={() => set({ delivery: undefined })}
      />
    </Page>
  );
}
