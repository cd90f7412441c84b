/** The frame of a screen: title, description and actions. */
import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { mode } from '../app/mode.ts';
import { strings } from '../strings/strings.ts';

interface PageProps {
  /** The title of the screen and of the browser tab. */
  readonly title: string;
  readonly description?: ReactNode;
  /** A link above the title. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, description, back, actions, children }: PageProps) {
  useDocumentTitle([mode === 'test' && strings.app.testMode, title, strings.app.name].filter(Boolean).join(' · '));
  return (
    <Stack gap="lg">
      <Stack gap="xs" component="header">
        {back}
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} maw={680} flex="1 1 16rem">
            <Title order={1} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
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
