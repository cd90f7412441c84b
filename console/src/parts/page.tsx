/** The frame of a screen: its name, what it is for, and what can be done on it. */
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface PageProps {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  /** The way back, above the title. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, about, back, actions, children }: PageProps) {
  return (
    <Stack gap="lg">
      <Stack gap="xs" component="header">
        {back}
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} maw={680}>
            <Title order={1}>{title}</Title>
            {about && (
              <Text c="dimmed" style={{ textWrap: 'pretty' }}>
                {about}
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
