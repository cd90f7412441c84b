/** The bar shown in test mode, with the link that leaves it. */
import { Anchor, Group, Text } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { strings } from '../strings/strings.ts';
import { addressIn } from './mode.ts';

export function TestModeBar({ height }: { readonly height: number }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <Group className="test-mode-bar" h={height} px="md" gap="xs" justify="center" wrap="nowrap" role="status">
      <FlaskConical size={16} aria-hidden />
      <Text size="sm" fw={650} truncate>
        {strings.app.testMode}
        <Text span inherit fw={500} visibleFrom="sm">
          {` — ${strings.app.testModeHint}`}
        </Text>
      </Text>
      <Anchor href={addressIn('live', path)} size="sm" fw={650} c="inherit" underline="always">
        {strings.app.toLive}
      </Anchor>
    </Group>
  );
}
