/** The notice about a time that is not free: the reason, whether it can be booked anyway, and the next free times. */
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { CalendarX2, TriangleAlert } from 'lucide-react';
import type { ApiError } from '../../api/errors.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import type { WhyNot } from './why-not.ts';

const texts = strings.calendar;

interface TimeNoticeProps {
  readonly why: WhyNot | undefined;
  /** The error `slot_unavailable`, after the time was rejected. */
  readonly refused: ApiError | undefined;
  choose(startTime: string): void;
}

export function TimeNotice({ why, refused, choose }: TimeNoticeProps) {
  const { when } = useTimes();
  if (!why && !refused) return null;
  if (why?.isOfRules) {
    return (
      <Alert color="yellow" icon={<TriangleAlert />} title={texts.outsideRules} role="alert">
        <Reasons of={why.reasons} />
        <Text size="sm" mt="xs">
          {texts.outsideRulesHint}
        </Text>
      </Alert>
    );
  }
  const { nextAvailable = [] } = (refused?.details ?? {}) as { nextAvailable?: readonly string[] };
  return (
    <Alert color="red" icon={<CalendarX2 />} title={strings.errors.slot_unavailable} role="alert">
      <Stack gap="xs" align="flex-start">
        {why && <Reasons of={why.reasons} />}
        {refused && <Text size="sm">{nextAvailable.length > 0 ? texts.takenHint : texts.takenNothing}</Text>}
        <Group gap="xs">
          {nextAvailable.map((start) => (
            <Button key={start} size="xs" variant="default" onClick={() => choose(start)}>
              {when(start)}
            </Button>
          ))}
        </Group>
      </Stack>
    </Alert>
  );
}

function Reasons({ of: [first, ...others] }: { readonly of: readonly string[] }) {
  if (others.length === 0) return <Text size="sm">{first}</Text>;
  return (
    <List size="sm">
      {[first, ...others].map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  );
}
