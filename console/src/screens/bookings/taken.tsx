/** The notice that a time is not available: why, and the next free times as buttons. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CalendarX2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';

export interface TakenProps {
  /** `slot_unavailable`. */
  readonly error: ApiError;
  readonly why: ReactNode;
  choose(startTime: string): void;
}

export function Taken({ error, why, choose }: TakenProps) {
  const times = useTimes();
  const { nextAvailable = [] } = (error.details ?? {}) as { nextAvailable?: readonly string[] };
  return (
    <Alert color="red" icon={<CalendarX2 />} title={strings.calendar.taken} role="alert">
      <Stack gap="xs" align="flex-start">
        {why}
        <Text size="sm">{nextAvailable.length > 0 ? strings.calendar.takenHint : strings.calendar.takenNothing}</Text>
        <Group gap="xs">
          {nextAvailable.map((start) => (
            <Button key={start} size="xs" variant="default" onClick={() => choose(start)}>
              {`${times.date(start)}, ${times.time(start)}`}
            </Button>
          ))}
        </Group>
      </Stack>
    </Alert>
  );
}
