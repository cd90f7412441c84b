/** The form for the booking rules. */
import { NumberInput, SimpleGrid } from '@mantine/core';
import type { Input } from '../../api/call.ts';
import type { Business } from '../../app/business.tsx';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { FormSection } from '../../components/form-frame.tsx';
import { type ApiForm, descriptionBelow, useApiForm } from '../../components/use-api-form.ts';
import { minutes } from '../../format/durations.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

/** The rules that are numbers. Minutes are also shown as hours and days. */
const numbers = [
  ['slotStepMinutes', texts.minutes, 5],
  ['minNoticeMinutes', texts.minutes, 30],
  ['maxAdvanceDays', texts.days, 1],
  ['cancellationNoticeMinutes', texts.minutes, 30],
] as const;

const confirmations = ['automatic', 'manual'] as const;
const hourMinutes = 60;

type Rules = { [Rule in keyof Business['bookingRules']]: number | string };

export function RulesForm({ business: { bookingRules } }: { readonly business: Business }) {
  const api: ApiForm<{ bookingRules: Rules }> = useApiForm({
    operation: 'updateBusiness',
    initialValues: { bookingRules: bookingRules as Rules },
    // Only edited rules are sent, because others may have changed elsewhere. A missing number is rejected at its field.
    toInput: ({ bookingRules: rules }) => {
      const edited = Object.entries(rules).filter(([rule]) => form.isDirty(`bookingRules.${rule}`));
      return { bookingRules: Object.fromEntries(edited) } as Input<'updateBusiness'>;
    },
    notification: () => texts.rulesSaved,
  });
  const { form } = api;
  return (
    <FormSection api={api} title={texts.rules} description={texts.rulesText}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {numbers.map(([field, suffix, step]) => (
          <NumberInput
            key={field}
            label={texts[field]}
            description={`${inWords(suffix, form.values.bookingRules[field])}${texts[`${field}Hint`]}`}
            inputWrapperOrder={descriptionBelow}
            suffix={suffix === texts.days && form.values.bookingRules[field] === 1 ? texts.day : suffix}
            step={step}
            min={0}
            {...form.getInputProps(`bookingRules.${field}`)}
          />
        ))}
      </SimpleGrid>
      <ChoiceCards
        label={texts.confirmation}
        values={confirmations}
        labels={texts.confirmations}
        {...form.getInputProps('bookingRules.confirmation')}
      />
    </FormSection>
  );
}

function inWords(unit: string, value: number | string): string {
  return unit === texts.minutes && typeof value === 'number' && value > hourMinutes
    ? `${minutes(value).replace(/\.$/, '')}. `
    : '';
}
