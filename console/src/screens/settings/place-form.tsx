/** The form for time zone and currency. It first shows the effect of another zone on upcoming bookings. */
import { List, SimpleGrid, Stack, Text } from '@mantine/core';
import { useApi } from '../../api/hooks.ts';
import type { Business } from '../../app/business.tsx';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useNow } from '../../format/clock.ts';
import { timesIn } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { clientOf, isOpen, serviceOf } from '../bookings/booking.ts';
import { CurrencyField, ZoneField } from './place-fields.tsx';

const texts = strings.settings;
const listed = 5;
const hourMs = 3_600_000;

export function PlaceForm({ business: { timeZone, currency } }: { readonly business: Business }) {
  const services = useApi('listServices', { limit: 1 });
  const priced = services.data?.total ?? 0;
  const api = useApiForm({
    operation: 'updateBusiness',
    changesOnly: true,
    initialValues: { timeZone, currency, keepInstants: false },
    toInput: ({ keepInstants, ...values }) => ({ ...values, ...(keepInstants && { keepInstants }) }),
    notification: () => texts.placeSaved,
  });
  const { form, error } = api;
  const isAsking = error?.code === 'future_bookings';
  const { bookings = 0 } = (isAsking ? error.details : {}) as { bookings?: number };
  return (
    <>
      <FormSection api={{ ...api, error: isAsking ? null : error }} title={texts.place} description={texts.placeText}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ZoneField own={timeZone} {...form.getInputProps('timeZone')} />
          <CurrencyField
            own={currency}
            disabled={priced > 0}
            description={priced > 0 ? texts.currencyFixed(priced) : texts.currencyHint}
            {...form.getInputProps('currency')}
          />
        </SimpleGrid>
      </FormSection>
      <ConfirmAction
        opened={isAsking}
        title={texts.zoneTitle(form.values.timeZone)}
        description={texts.zoneText(bookings)}
        consequences={texts.zoneConsequences}
        choice={isAsking && <Moves from={timeZone} to={form.values.timeZone} />}
        verb={texts.zoneVerb}
        isDangerous={false}
        mutation={{ ...api, error: null }}
        onConfirm={() => api.submitWith({ keepInstants: true })}
        onClose={api.discard}
      />
    </>
  );
}

/** Shows the next bookings in the local time of each zone. */
function Moves({ from, to }: { readonly from: string; readonly to: string }) {
  const at = Math.floor(useNow() / hourMs) * hourMs;
  const next = useApi('listBookings', { from: new Date(at).toISOString(), limit: 20 });
  const [before, after] = [timesIn(from), timesIn(to)];
  const shown = next.data?.data.filter(isOpen).slice(0, listed) ?? [];
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {texts.zoneMoves}
      </Text>
      <List size="sm">
        {shown.map((booking) => (
          <List.Item key={booking.id}>
            {texts.zoneMove(
              `${clientOf(booking)}, ${serviceOf(booking)}`,
              before.when(booking.startTime),
              after.when(booking.startTime),
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
