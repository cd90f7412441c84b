/** A note with the time zone of the times above. */
import { Text } from '@mantine/core';
import { useTimeZone } from '../app/business.tsx';
import { strings } from '../strings/strings.ts';

export function ZoneNote() {
  return (
    <Text size="xs" c="dimmed">
      {strings.app.inZone(useTimeZone())}
    </Text>
  );
}
