/** The link above the title of an entry that leads back to the list. */
import { Group } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import type { Screen } from '../app/screens.ts';
import { AnchorLink } from './link.tsx';

interface BackLinkProps {
  readonly to: Screen['path'];
  readonly label: string;
}

export function BackLink({ to, label }: BackLinkProps) {
  return (
    <AnchorLink size="sm" w="fit-content" to={to}>
      <Group gap={6} component="span">
        <ArrowLeft size={16} aria-hidden />
        {label}
      </Group>
    </AnchorLink>
  );
}
