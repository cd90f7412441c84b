/** A section of a screen: its heading, an explanation, and actions beside them. */
import { Box, Group, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { DimmedText } from './dimmed-text.tsx';

interface SectionProps {
  readonly title: string;
  readonly description?: string | undefined;
  readonly actions?: ReactNode;
  /** Whether the content has its own frame, such as a table. Default: false. */
  readonly isPlain?: boolean;
  readonly children: ReactNode;
}

export function Section({ title, description, actions, isPlain = false, children }: SectionProps) {
  const Frame = isPlain ? Box : Paper;
  return (
    <Frame component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2}>{title}</Title>
            {description && (
              <DimmedText mt={4} maw={640}>
                {description}
              </DimmedText>
            )}
          </div>
          {actions}
        </Group>
        {children}
      </Stack>
    </Frame>
  );
}
