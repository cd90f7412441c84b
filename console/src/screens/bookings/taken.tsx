/** The notice that a time is not available, with the next free times as buttons. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { CalendarX2 } from 'lucide-react';
import type { ApiError } from '../../api/errors.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';

export interface TakenProps {
  /** `slot_unavailable`. */
  readonly error: ApiError;
  /** Why, if known. */
  readonly reason?: string | undefined;
  choose(startTime: string): void;
}

export function Taken({ error, reason, choose }: TakenProps) {
  const times = useTimes();
  const { nextAvailable = [] } = (error.details ?? {}) as { nextAvailable?: readonly string[] };
  return (
    <Alert color="red" icon={<CalendarX2 />} title={strings.calendar.taken} role="alert">
      <Text size="sm" mb="xs">
        {reason && `${reason} `}
        {nextAvailable.length > 0 ? strings.calendar.takenHint : strings.calendar.takenNothing}
      </Text>
      <Group gap="xs">
        {nextAvailable.map((start) => (
          <Button key={start} size="xs" variant="default" onClick={() => choose(start)}>
            {`${times.date(start)}, ${times.time(start)}`}
          </Button>
        ))}
      </Group>
    </Alert>
  );
}
