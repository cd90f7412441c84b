/** The form for a new or existing API key. */
import { Checkbox, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useTimeZone } from '../../app/business.tsx';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { DateField } from '../../components/date-field.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { descriptionBelow, fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { now } from '../../format/clock.ts';
import { endOfDay } from '../../format/days.ts';
import { sendsMail } from '../../session/config.ts';
import { strings } from '../../strings/strings.ts';
import type { NewKey } from './first-request.ts';
import { type Scope, scopeSets, setNames, setOf } from './scope-sets.ts';

const texts = strings.apiKeys;
const dayMs = 86_400_000;
const purposes = [...setNames, 'own'] as const;
const newExpiries = ['never', '30', '90', '365', 'date'] as const;

interface KeyFormProps {
  /** The key to change. Default: a new key is created. */
  readonly apiKey?: Answer<'getApiKey'>;
  /** Receives the value of a new key, which no other response contains. */
  onCreated?(created: NewKey): void;
  onClose(): void;
}

export function KeyForm({ apiKey, onCreated, onClose }: KeyFormProps) {
  const zone = useTimeZone();
  /** Undefined means unchanged, null means never. */
  const expiresAt = (expiry: string, day: string): string | null | undefined => {
    if (expiry === 'keep') return undefined;
    if (expiry === 'never') return null;
    return expiry === 'date' ? endOfDay(day, zone) : new Date(now() + Number(expiry) * dayMs).toISOString();
  };
  const api = useApiForm({
    operation: apiKey ? 'updateApiKey' : 'createApiKey',
    changesOnly: apiKey !== undefined,
    initialValues: {
      name: apiKey?.name ?? '',
      purpose: (apiKey ? (setOf(apiKey.scopes) ?? 'own') : 'booking_widget') as (typeof purposes)[number],
      scopes: [...(apiKey?.scopes ?? [])] as Scope[],
      allowedOrigins: [...(apiKey?.allowedOrigins ?? [])],
      agents: apiKey?.agents ?? false,
      contactEmail: apiKey?.contactEmail ?? '',
      expiry: apiKey ? 'keep' : 'never',
      day: '',
    },
    validate: ({ name, purpose, scopes, expiry, day }) => ({
      name: name.trim() ? undefined : texts.needsName,
      scopes: purpose === 'own' && scopes.length === 0 ? texts.needsScope : undefined,
      day: expiry === 'date' && !(day && Date.parse(endOfDay(day, zone)) > now()) ? texts.needsDay : undefined,
    }),
    fieldNames: (path) => (path === 'expiresAt' ? 'expiry' : path),
    toInput: ({ name, purpose, scopes, allowedOrigins, agents, contactEmail, expiry, day }) => {
      const expires = expiresAt(expiry, day);
      const contact = contactEmail.trim();
      const body = {
        name: name.trim(),
        scopes: purpose === 'own' ? scopes : [...scopeSets[purpose]],
        allowedOrigins,
        agents,
      };
      return apiKey
        ? {
            id: apiKey.id,
            ...body,
            // Sending the same address again would resume emails to it.
            ...(contact !== (apiKey.contactEmail ?? '') && { contactEmail: contact || null }),
            ...(expires !== undefined && { expiresAt: expires }),
          }
        : { ...body, ...(contact && { contactEmail: contact }), ...(expires && { expiresAt: expires }) };
    },
    ...(apiKey && { notification: () => texts.changed }),
    onSuccess: (answer) => {
      if ('key' in answer) onCreated?.(answer);
    },
    onDone: onClose,
  });
  const { form } = api;
  const field = fieldsOf(api, texts);
  const expiries = apiKey ? (['keep', ...newExpiries] as const) : newExpiries;

  return (
    <FormFrame
      api={api}
      verb={apiKey ? strings.app.save : texts.create}
      onClose={onClose}
      {...(!apiKey && { undecided: texts.maybeCreated })}
    >
      <TextInput {...field('name')} maxLength={200} required data-autofocus />
      <ChoiceCards {...field('purpose')} values={purposes} labels={texts.sets} />
      {form.values.purpose === 'own' && (
        <Checkbox.Group label={texts.columns.permissions} {...form.getInputProps('scopes')}>
          <Stack gap="xs" mt="xs">
            {Object.entries(texts.scopes).map(([scope, words]) => (
              <Checkbox key={scope} value={scope} label={words} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <TagsInput
        {...field('allowedOrigins')}
        placeholder={form.values.allowedOrigins.length === 0 ? texts.originsPlaceholder : undefined}
        clearable
        acceptValueOnBlur
        splitChars={[',', ' ', ';']}
      />
      {form.values.purpose === 'booking_widget' && form.values.allowedOrigins.length === 0 && (
        <DimmedText role="status">{texts.noOriginsHint}</DimmedText>
      )}
      <Checkbox {...field('agents', { type: 'checkbox' })} />
      {sendsMail() && <TextInput {...field('contactEmail')} type="email" maxLength={254} />}
      <Group align="flex-start" grow>
        <Select
          {...field('expiry')}
          allowDeselect={false}
          data={expiries.map((value) => ({ value, label: texts.expiries[value] }))}
        />
        {form.values.expiry === 'date' && (
          <DateField
            label={texts.expiryDay}
            description={texts.expiryDayHint(zone)}
            inputWrapperOrder={descriptionBelow}
            {...form.getInputProps('day')}
          />
        )}
      </Group>
    </FormFrame>
  );
}
