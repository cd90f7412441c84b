/** What a booking must keep to. */
import { NumberInput, SimpleGrid } from '@mantine/core';
import type { Input } from '../../api/call.ts';
import { useChange } from '../../api/hooks.ts';
import type { Business } from '../../app/business.tsx';
import { minutes } from '../../format/durations.ts';
import { ChoiceCards } from '../../parts/choice-cards.tsx';
import { FormSection } from '../../parts/form-frame.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.settings;

/** Each a number with its words. What is in minutes is told in hours and days, too. */
const numbers = [
  { field: 'slotStepMinutes', label: texts.step, hint: texts.stepHint, suffix: texts.minutes, step: 5 },
  { field: 'minNoticeMinutes', label: texts.notice, hint: texts.noticeHint, suffix: texts.minutes, step: 30 },
  { field: 'maxAdvanceDays', label: texts.advance, hint: texts.advanceHint, suffix: texts.days, step: 1 },
  {
    field: 'cancellationNoticeMinutes',
    label: texts.cancellation,
    hint: texts.cancellationHint,
    suffix: texts.minutes,
    step: 30,
  },
] as const;

const confirmations = ['automatic', 'manual'] as const;
const hourMinutes = 60;

export function RulesForm({ business: { bookingRules } }: { readonly business: Business }) {
  const update = useChange('updateBusiness');
  const api = useApiForm({
    initialValues: { bookingRules: bookingRules as { [Rule in keyof typeof bookingRules]: number | string } },
    // A number that is missing is refused beside its field.
    send: (values) => update.mutateAsync(values as Input<'updateBusiness'>),
    onDone: () => said(texts.rulesSaved),
  });
  const { form } = api;
  return (
    <FormSection api={api} title={texts.rules} about={texts.rulesAbout}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {numbers.map(({ field, label, hint, suffix, step }) => (
          <NumberInput
            key={field}
            label={label}
            description={`${inWords(suffix, form.values.bookingRules[field])}${hint}`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            suffix={suffix}
            step={step}
            min={0}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps(`bookingRules.${field}`)}
          />
        ))}
      </SimpleGrid>
      <ChoiceCards
        label={texts.confirmation}
        values={confirmations}
        words={texts.confirmations}
        {...form.getInputProps('bookingRules.confirmation')}
      />
    </FormSection>
  );
}

function inWords(unit: string, value: number | string): string {
  return unit === texts.minutes && typeof value === 'number' && value > hourMinutes ? `${minutes(value)}. ` : '';
}
