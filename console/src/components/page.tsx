/** The frame of a screen: title, description and actions. */
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface PageProps {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** A link above the title. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, description, back, actions, children }: PageProps) {
  return (
    <Stack gap="lg">
      <Stack gap="xs" component="header">
        {back}
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} maw={680}>
            <Title order={1}>{title}</Title>
            {description && (
              <Text c="dimmed" style={{ textWrap: 'pretty' }}>
                {description}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="sm">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  );
}
