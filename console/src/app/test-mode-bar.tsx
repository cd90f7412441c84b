/** The bar shown in test mode, with the link that leaves it. */
import { Anchor, Group, Text } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useApi } from '../api/hooks.ts';
import { strings } from '../strings/strings.ts';
import { addressIn } from './mode.ts';
import { useMay } from './role.ts';

const ResetSandbox = lazy(() =>
  import('../screens/sandbox/reset-sandbox.tsx').then((module) => ({ default: module.ResetSandbox })),
);

const link = { size: 'sm', fw: 650, c: 'inherit', underline: 'always', flex: 'none' } as const;

export function TestModeBar({ height }: { readonly height: number }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isOwner = useMay()('owner');
  // The first test key creates the sandbox.
  const hasSandbox = useApi('getBusiness', undefined).data !== undefined;
  const [isAsking, setAsking] = useState<boolean>();
  return (
    <Group className="test-mode-bar" h={height} px="md" gap="xs" justify="center" wrap="nowrap" role="status">
      <FlaskConical size={16} aria-hidden />
      <Text size="sm" fw={650} truncate>
        {strings.app.testMode}
        <Text span inherit fw={500} visibleFrom="sm">
          {` — ${strings.app.testModeHint}`}
        </Text>
      </Text>
      {isOwner && hasSandbox && (
        <Anchor component="button" {...link} onClick={() => setAsking(true)}>
          {strings.app.resetSandbox}
        </Anchor>
      )}
      {isAsking !== undefined && (
        <Suspense>
          <ResetSandbox opened={isAsking} onClose={() => setAsking(false)} />
        </Suspense>
      )}
      <Anchor href={addressIn('live', path)} {...link}>
        {strings.app.toLive}
      </Anchor>
    </Group>
  );
}
