/** Zone and currency of a business that has them: what of them can still change is said. */
import { SimpleGrid } from '@mantine/core';
import { useApi, useChange } from '../../api/hooks.ts';
import type { Business } from '../../app/business.tsx';
import { FormSection } from '../../parts/form-frame.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';
import { CurrencyField, ZoneField } from './place-fields.tsx';

const texts = strings.settings;

export function PlaceForm({ business: { timeZone, currency } }: { readonly business: Business }) {
  const services = useApi('listServices', { limit: 1 });
  const priced = services.data?.total ?? 0;
  const update = useChange('updateBusiness');
  const api = useApiForm({
    initialValues: { timeZone, currency },
    send: (values) => update.mutateAsync(values),
    onDone: () => said(texts.placeSaved),
  });
  const { form } = api;
  return (
    <FormSection api={api} title={texts.place} about={texts.placeAbout}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ZoneField own={timeZone} description={texts.zoneHint} {...form.getInputProps('timeZone')} />
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
