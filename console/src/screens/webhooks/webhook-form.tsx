/** The form for a new or existing webhook: address, API key and events. */
import {
  Anchor,
  Checkbox,
  Fieldset,
  Input,
  MultiSelect,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { Answer, Input as BodyOf } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { choicesOf } from '../../components/choices.ts';
import { FormFrame } from '../../components/form-frame.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';
import { type EventName, eventGroups, eventNames, missingScope, nameOfGroup } from '../events/event-names.ts';

const texts = strings.webhooks;
const guide = '/docs/which-way-out/';
/** The value of the checkbox for all events. No event has this name. */
const all = '*';

interface WebhookFormProps {
  /** The webhook to change. Default: a new webhook is created. */
  readonly webhook?: Answer<'getWebhook'>;
  /** Receives the secret of a new webhook, which no other response contains. */
  onCreated?(created: Answer<'createWebhook'>): void;
  onClose(): void;
}

export function WebhookForm(props: WebhookFormProps) {
  const keys = useWholeList('listApiKeys');
  return (
    <QueryState query={keys}>
      {({ data }) => {
        const active = data.filter(({ status }) => status === 'active');
        if (props.webhook || active.length > 0) return <Fields {...props} keys={active} />;
        return (
          <Stack align="flex-start">
            <Text>{texts.noKeys}</Text>
            <ButtonLink to="/api-keys">{strings.apiKeys.createTitle}</ButtonLink>
          </Stack>
        );
      }}
    </QueryState>
  );
}

interface FieldsProps extends WebhookFormProps {
  readonly keys: Answer<'listApiKeys'>['data'];
}

function Fields({ webhook, onCreated, onClose, keys }: FieldsProps) {
  const problemOf = (apiKeyId: string, events: readonly EventName[]) => {
    const key = keys.find(({ id }) => String(id) === apiKeyId);
    const refused = key && events.find((event) => missingScope(key.scopes, event));
    const missing = refused && missingScope(key.scopes, refused);
    return missing && texts.cannotReceive(key.name, strings.apiKeys.scopes[missing], refused);
  };
  const services = useWholeList('listServices');
  const staff = useWholeList('listStaff');
  const api = useApiForm({
    operation: webhook ? 'updateWebhook' : 'createWebhook',
    changesOnly: webhook !== undefined,
    initialValues: {
      delivery: webhook?.delivery ?? ('push' as const),
      serviceIds: (webhook?.filter?.serviceIds ?? []).map(String),
      staffIds: (webhook?.filter?.staffIds ?? []).map(String),
      apiKeyId: String(webhook?.apiKeyId ?? mostAble(keys)?.id ?? ''),
      targetUrl: webhook?.targetUrl ?? '',
      events: [...(webhook?.events ?? [])] as EventName[],
      description: webhook?.description ?? '',
    },
    validate: ({ delivery, apiKeyId, targetUrl, events }) => ({
      apiKeyId: apiKeyId ? (webhook ? undefined : problemOf(apiKeyId, events)) : texts.needsKey,
      targetUrl: delivery === 'poll' || targetUrl.trim() ? undefined : texts.needsTarget,
      events: events.length > 0 ? webhook && problemOf(apiKeyId, events) : texts.needsEvent,
    }),
    toInput: ({ delivery, apiKeyId, targetUrl, serviceIds, staffIds, ...rest }) =>
      ({
        ...(webhook ? { id: webhook.id } : { apiKeyId: Number(apiKeyId), delivery }),
        ...rest,
        ...(delivery === 'push' && { targetUrl: targetUrl.trim() }),
        ...filterOf(serviceIds, staffIds, webhook),
      }) as BodyOf<'createWebhook'>,
    ...(webhook && { notification: () => texts.changed }),
    onSuccess: (answer) => {
      if ('secret' in answer) onCreated?.(answer);
    },
    onDone: onClose,
  });
  const { form } = api;
  const field = fieldsOf(api, texts);
  const { events: chosen, delivery } = form.values;
  const isAll = chosen.length === eventNames.length;
  const choose = (boxes: string[]) => {
    const wantsAll = boxes.includes(all);
    const named = eventNames.filter((name) => boxes.includes(name));
    form.setFieldValue('events', wantsAll === isAll ? named : wantsAll ? [...eventNames] : []);
  };
  return (
    <FormFrame
      api={api}
      verb={webhook ? strings.app.save : texts.create}
      onClose={onClose}
      {...(!webhook && { undecided: texts.maybeCreated })}
    >
      {!webhook && (
        <Input.Wrapper
          label={texts.delivery}
          description={
            <>
              {texts.deliveryHints[delivery]}{' '}
              <Anchor underline="always" href={guide} target="_blank" size="xs">
                {texts.deliveryGuide}
              </Anchor>
            </>
          }
        >
          <SegmentedControl
            fullWidth
            mt="xs"
            aria-label={texts.delivery}
            // On a phone, a label needs two lines.
            styles={{ label: { whiteSpace: 'normal' } }}
            data={(['push', 'poll'] as const).map((value) => ({ value, label: texts.deliveries[value] }))}
            {...form.getInputProps('delivery')}
          />
        </Input.Wrapper>
      )}
      {delivery === 'push' && (
        <TextInput
          type="url"
          {...field('targetUrl')}
          placeholder="https://www.example.com/hooks"
          required
          // The dialog sets the focus before the keys are loaded, when the field does not exist yet.
          autoFocus
        />
      )}
      {!webhook && <Select {...field('apiKeyId')} allowDeselect={false} data={choicesOf(keys)} />}
      <Checkbox.Group {...field('events')} required value={isAll ? [all, ...chosen] : chosen} onChange={choose}>
        <Stack gap="sm" mt="xs">
          <Checkbox value={all} fw={600} label={texts.allEvents} indeterminate={chosen.length > 0 && !isAll} />
          {eventGroups.map(([group, names]) => (
            <Fieldset key={group} legend={nameOfGroup(group)} p="sm" variant="filled">
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing="xs">
                {names.map((name) => (
                  <Checkbox key={name} value={name} label={strings.events.names[name]} description={name} />
                ))}
              </SimpleGrid>
            </Fieldset>
          ))}
        </Stack>
      </Checkbox.Group>
      {(
        [
          ['serviceIds', texts.filterServices, services.data?.data],
          ['staffIds', texts.filterStaff, staff.data?.data],
        ] as const
      ).map(([field, label, rows]) => (
        <MultiSelect
          key={field}
          label={label}
          description={texts.filterEmpty}
          data={choicesOf(rows)}
          maxValues={50}
          searchable
          clearable
          {...form.getInputProps(field)}
        />
      ))}
      <TextInput {...field('description')} maxLength={255} />
    </FormFrame>
  );
}

/** In an update, null removes the filter. */
function filterOf(serviceIds: readonly string[], staffIds: readonly string[], webhook: FieldsProps['webhook']) {
  const filter = {
    ...(serviceIds.length > 0 && { serviceIds: serviceIds.map(Number) }),
    ...(staffIds.length > 0 && { staffIds: staffIds.map(Number) }),
  };
  if (Object.keys(filter).length > 0) return { filter };
  return webhook?.filter ? { filter: null } : {};
}

/** Returns the newest key that can receive all events, or else the newest: it was often created for this webhook. */
function mostAble(keys: FieldsProps['keys']): FieldsProps['keys'][number] | undefined {
  const newest = keys.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return newest.find(({ scopes }) => !eventNames.some((event) => missingScope(scopes, event))) ?? newest[0];
}
