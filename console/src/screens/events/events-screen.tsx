/** The catalogue of events, each with its meaning, time and example. */
import { Accordion, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { FlaskConical, Webhook } from 'lucide-react';
import { eventExamples } from '../../api/generated/events.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { mode } from '../../app/mode.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink, ButtonLink } from '../../components/link.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField, useSearchText } from '../../components/search-field.tsx';
import { strings } from '../../strings/strings.ts';
import { type EventName, eventGroups, nameOfGroup } from './event-names.ts';

const texts = strings.events;

export function EventsScreen() {
  const [{ event }, set] = useScreenSearch('/events');
  const text = useSearchText();
  const wanted = text.typed.trim().toLowerCase();
  const matches = (name: EventName) => `${name} ${texts.names[name]}`.toLowerCase().includes(wanted);
  const groups = eventGroups
    .map(([group, names]) => [group, names.filter(matches)] as const)
    .filter(([, names]) => names.length > 0);
  return (
    <Page
      title={strings.screens.events}
      description={texts.intro}
      actions={
        <ButtonLink leftSection={<Webhook size={18} />} to="/webhooks" search={{ create: true }}>
          {strings.webhooks.create}
        </ButtonLink>
      }
    >
      <SearchField text={text} aria-label={texts.search} placeholder={texts.search} />
      {groups.length === 0 && <Text c="dimmed">{texts.none}</Text>}
      {groups.map(([group, names]) => (
        <Stack key={group} gap="xs" component="section" aria-labelledby={`events-${group}`}>
          <Title order={2} id={`events-${group}`}>
            {nameOfGroup(group)}
          </Title>
          <Accordion
            variant="contained"
            radius="lg"
            order={3}
            value={event ?? null}
            onChange={(value) => set({ event: (value ?? undefined) as EventName | undefined })}
          >
            {names.map((name) => (
              <Accordion.Item key={name} value={name} bg="var(--surface)">
                <Accordion.Control>
                  <Group gap="sm">
                    <Text fw={600}>{texts.names[name]}</Text>
                    <Code>{name}</Code>
                  </Group>
                </Accordion.Control>
                <Accordion.Panel>{event === name && <EventDetails name={name} />}</Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </Stack>
      ))}
    </Page>
  );
}

function EventDetails({ name }: { readonly name: EventName }) {
  const trigger = useApiMutation('triggerEvent');
  return (
    <Stack gap="md">
      <Text>{texts.when[name]}</Text>
      <CodeBlock label={`${texts.example}: ${name}`} text={JSON.stringify(eventExamples[name], null, 2)} />
      <ErrorNotice error={trigger.error} />
      <Group>
        <AnchorLink to="/deliveries" search={{ event: name }}>
          {strings.screens.deliveries}
        </AnchorLink>
        {mode === 'test' && (
          <Button
            variant="light"
            size="xs"
            leftSection={<FlaskConical size={16} />}
            loading={trigger.isPending}
            onClick={() => trigger.mutate({ event: name }, { onSuccess: () => notify(texts.triggered(name)) })}
          >
            {texts.trigger}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
