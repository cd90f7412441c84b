/** A state as a word with a colour and a dot: never by colour alone. */
import { Badge } from '@mantine/core';

const colors = {
  good: 'green',
  waiting: 'yellow',
  bad: 'red',
  none: 'gray',
} as const;

export function StatusBadge({ tone, label }: { readonly tone: keyof typeof colors; readonly label: string }) {
  return (
    <Badge color={colors[tone]} variant="dot" size="lg" fw={500} miw="max-content">
      {label}
    </Badge>
  );
}
