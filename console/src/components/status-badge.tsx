/** A status as a label with a coloured dot: never by colour alone. */
import { Badge } from '@mantine/core';

export const toneColors = { good: 'green', waiting: 'yellow', bad: 'red', none: 'gray' } as const;

export function StatusBadge({ tone, label }: { readonly tone: keyof typeof toneColors; readonly label: string }) {
  return (
    <Badge color={toneColors[tone]} variant="dot" size="lg" fw={500} miw="max-content">
      {label}
    </Badge>
  );
}
