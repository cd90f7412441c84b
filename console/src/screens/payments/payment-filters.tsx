/** The filters of the list: client, booking and days. */
import { Button, Group } from '@mantine/core';
import { FilterX } from 'lucide-react';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { ClientSelect } from '../../components/client-select.tsx';
import { NumberFilter } from '../../components/filter-field.tsx';
import { PeriodFields } from '../../components/period-fields.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.payments;

export function PaymentFilters() {
  const [{ client, booking, from, to }, change] = useScreenSearch('/payments');
  const set: typeof change = (filters) => change(filters, { replace: true });
  const isFiltered = [client, booking, from, to].some((value) => value !== undefined);
  return (
    <Group align="flex-end" gap="sm">
      <ClientSelect
        w={{ base: '100%', xs: 250 }}
        label={texts.clientId}
        value={client}
        onChange={(id) => set({ client: id })}
      />
      <PeriodFields from={from} to={to} onChange={set} />
      <NumberFilter
        w={{ base: '100%', sm: 180 }}
        label={strings.bookings.number}
        value={booking}
        onChange={(number) => set({ booking: number })}
      />
      {isFiltered && (
        <Button
          variant="subtle"
          leftSection={<FilterX size={16} />}
          onClick={() => set({ client: undefined, booking: undefined, from: undefined, to: undefined })}
        >
          {strings.app.clearFilters}
        </Button>
      )}
    </Group>
  );
}
