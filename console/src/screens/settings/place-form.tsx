/** Time zone and currency, and whether they can still change. */
import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/hooks.ts';
import type { Business } from '../../app/business.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { now } from '../../format/clock.ts';
import { strings } from '../../strings/strings.ts';
import { CurrencyField, ZoneField } from './place-fields.tsx';

const texts = strings.settings;

export function PlaceForm({ business: { timeZone, currency } }: { readonly business: Business }) {
  const services = useApi('listServices', { limit: 1 });
  const [at] = useState(() => new Date(now()).toISOString());
  const upcoming = useApi('listBookings', { from: at, limit: 1 });
  const hasBookings = (upcoming.data?.data.length ?? 0) > 0;
  const priced = services.data?.total ?? 0;
  const api = useApiForm({
    operation: 'updateBusiness',
    initialValues: { timeZone, currency },
    toInput: (values) => values,
    onSuccess: () => notify(texts.placeSaved),
  });
  const { form } = api;
  return (
    <FormSection api={api} title={texts.place} description={texts.placeText}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ZoneField
          own={timeZone}
          disabled={hasBookings}
          description={hasBookings ? texts.zoneFixed : texts.zoneHint}
          {...form.getInputProps('timeZone')}
        />
        <CurrencyField
          own={currency}
          disabled={priced > 0}
          description={priced > 0 ? texts.currencyFixed(priced) : texts.currencyHint}
          {...form.getInputProps('currency')}
        />
      </SimpleGrid>
    </FormSection>
  );
}
