/** A status as a label with a coloured dot; colour is never the only sign. */
import { Badge } from '@mantine/core';

export const toneColors = { good: 'green', waiting: 'yellow', bad: 'red', none: 'gray' } as const;

export function StatusBadge({ tone, label }: { readonly tone: keyof typeof toneColors; readonly label: string }) {
  return (
    <Badge color={toneColors[tone]} variant="dot" size="lg" fw={500} miw="max-content">
      {label}
    </Badge>
  );
}
