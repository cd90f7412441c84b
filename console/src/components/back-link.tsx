/** The link back to the list, above the title of an entry. */
import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { screens } from '../app/screens.ts';

export interface BackLinkProps {
  readonly to: (typeof screens)[number]['path'];
  readonly label: string;
}

export function BackLink({ to, label }: BackLinkProps) {
  return (
    <Anchor size="sm" w="fit-content" renderRoot={(props) => <Link to={to} {...props} />}>
      <Group gap={6} component="span">
        <ArrowLeft size={16} aria-hidden />
        {label}
      </Group>
    </Anchor>
  );
}
