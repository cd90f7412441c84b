/** The fields for time zone and currency. */
import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { descriptionBelow } from '../../components/use-api-form.ts';
import { useNow } from '../../format/clock.ts';
import { locales } from '../../format/language.ts';
import { timesIn } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

/** The values that the browser supports, and the current one of the business. */
const known = (key: 'timeZone' | 'currency', own: string) => {
  const values = Intl.supportedValuesOf(key);
  return own === '' || values.includes(own) ? values : [own, ...values];
};

const searched = () => ({
  searchable: true,
  allowDeselect: false,
  nothingFoundMessage: texts.nothingFound,
  inputWrapperOrder: descriptionBelow,
});

type FieldProps = Omit<SelectProps, 'data' | 'label'> & { readonly own: string };

export function ZoneField({ own, ...props }: FieldProps) {
  const now = useNow();
  const zone = props.value || own;
  return (
    <Select
      label={texts.zone}
      data={known('timeZone', own).map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
      description={zone ? texts.zoneNow(timesIn(zone).time(now)) : undefined}
      {...searched()}
      {...props}
    />
  );
}

export function CurrencyField({ own, ...props }: FieldProps) {
  const [names] = useState(() => new Intl.DisplayNames(locales().numbers, { type: 'currency' }));
  return (
    <Select
      label={texts.currency}
      data={known('currency', own).map((code) => ({ value: code, label: `${code} · ${names.of(code)}` }))}
      {...searched()}
      {...props}
    />
  );
}
