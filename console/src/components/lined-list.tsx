/** A short list of lines, each with a button that removes it. */
import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { DimmedText } from './dimmed-text.tsx';

interface Line {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  /** The label of the button. */
  readonly action: string;
  remove(): void;
}

export function LinedList({ lines, isPending }: { readonly lines: readonly Line[]; readonly isPending: boolean }) {
  if (lines.length === 0) return null;
  return (
    <Stack gap={0} className="lined" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {lines.map(({ key, title, hint, action, remove }) => (
        <Group key={key} component="li" py="xs" justify="space-between" wrap="nowrap">
          <div>
            <Text fw={600}>{title}</Text>
            <DimmedText>{hint}</DimmedText>
          </div>
          {/* A disabled button would lose the focus, which it needs if the request fails. */}
          <ActionIcon
            size={36}
            aria-label={action}
            aria-disabled={isPending}
            data-disabled={isPending || undefined}
            onClick={isPending ? undefined : remove}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}
