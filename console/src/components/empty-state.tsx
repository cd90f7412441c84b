/** The empty state of a list: what it would contain, and how to add the first entry. */
import { EmptyState as MantineEmptyState, Paper } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly hint: string;
  /** The button or link for the next step. */
  readonly children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, hint, children }: EmptyStateProps) {
  return (
    <Paper py={48}>
      <MantineEmptyState icon={<Icon />} variant="light" title={title} description={hint}>
        {children && <MantineEmptyState.Actions>{children}</MantineEmptyState.Actions>}
      </MantineEmptyState>
    </Paper>
  );
}
