/** Where a webhook sends to and what it hears of: for a new one and for a change. */
import { Button, Checkbox, Fieldset, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { FormFrame } from '../../parts/form-frame.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';
import { type EventName, eventGroups, eventNames } from '../events/event-names.ts';

const texts = strings.webhooks;
/** The box for all of them, among the boxes of a group: no event has this name. */
const all = '*';

export interface WebhookValues {
  readonly apiKeyId: number;
  readonly targetUrl: string;
  readonly events: EventName[];
  readonly description: string;
}

export interface WebhookFormProps {
  /** The one that changes. */
  readonly webhook?: Answer<'getWebhook'>;
  readonly verb: string;
  /** Its answer stays with whoever shows the secret. */
  send(values: WebhookValues): Promise<unknown>;
  onDone(): void;
  onClose(): void;
}

export function WebhookForm(props: WebhookFormProps) {
  const keys = useApi('listApiKeys', { limit: 100 });
  return (
    <QueryState query={keys}>
      {({ data }) => {
        const active = data.filter(({ status }) => status === 'active');
        if (!props.webhook && active.length === 0) return <NoKeys />;
        return <Fields {...props} keys={active} />;
      }}
    </QueryState>
  );
}

function NoKeys() {
  return (
    <Stack>
      <Text>{texts.noKeys}</Text>
      <Group>
        <Button renderRoot={(props) => <Link to="/api-keys" {...props} />}>{texts.makeKey}</Button>
      </Group>
    </Stack>
  );
}

interface FieldsProps extends WebhookFormProps {
  readonly keys: Answer<'listApiKeys'>['data'];
}

function Fields({ webhook, verb, send, onDone, onClose, keys }: FieldsProps) {
  const api = useApiForm({
    initialValues: {
      apiKeyId: String(webhook?.apiKeyId ?? newest(keys)?.id ?? ''),
      targetUrl: webhook?.targetUrl ?? '',
      events: [...(webhook?.events ?? [])] as EventName[],
      description: webhook?.description ?? '',
    },
    validate: ({ apiKeyId, targetUrl, events }) => ({
      apiKeyId: apiKeyId ? undefined : texts.needsKey,
      targetUrl: targetUrl.trim() ? undefined : texts.needsTarget,
      events: events.length > 0 ? undefined : texts.needsEvent,
    }),
    send: async ({ apiKeyId, targetUrl, ...rest }) => {
      await send({ apiKeyId: Number(apiKeyId), targetUrl: targetUrl.trim(), ...rest });
    },
    onDone,
  });
  const { form } = api;
  const chosen = form.values.events;
  const isAll = chosen.length === eventNames.length;
  const choose = (boxes: string[]) => {
    const wantsAll = boxes.includes(all);
    const named = eventNames.filter((name) => boxes.includes(name));
    form.setFieldValue('events', wantsAll === isAll ? named : wantsAll ? [...eventNames] : []);
  };
  return (
    <FormFrame api={api} verb={verb} onClose={onClose}>
      <TextInput
        type="url"
        label={texts.target}
        description={texts.targetHint}
        placeholder="https://www.example.com/hooks"
        required
        // The dialog looks for its first field before the keys have come, and finds none.
        autoFocus
        {...form.getInputProps('targetUrl')}
      />
      {!webhook && (
        <Select
          label={texts.apiKey}
          description={texts.apiKeyHint}
          allowDeselect={false}
          data={keys.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps('apiKeyId')}
        />
      )}
      <Checkbox.Group
        label={texts.events}
        required
        {...form.getInputProps('events')}
        value={isAll ? [all, ...chosen] : chosen}
        onChange={choose}
      >
        <Stack gap="sm" mt="xs">
          <Checkbox value={all} fw={600} label={texts.all} indeterminate={chosen.length > 0 && !isAll} />
          {eventGroups.map(([group, names]) => (
            <Fieldset key={group} legend={strings.events.groups[group]} p="sm" variant="filled">
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing="xs">
                {names.map((name) => (
                  <Checkbox key={name} value={name} label={strings.events.names[name].name} description={name} />
                ))}
              </SimpleGrid>
            </Fieldset>
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label={texts.description}
        description={texts.descriptionHint}
        maxLength={255}
        {...form.getInputProps('description')}
      />
    </FormFrame>
  );
}

/** Whoever makes a webhook has most often just made the key for it. */
function newest(keys: FieldsProps['keys']): FieldsProps['keys'][number] | undefined {
  return keys.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0];
}
