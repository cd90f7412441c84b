/** A list without entries: what would be here, and how it gets there. */
import { EmptyState, Paper } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export interface NothingProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly hint: string;
  /** The next step. */
  readonly children?: ReactNode;
}

export function Nothing({ icon: Icon, title, hint, children }: NothingProps) {
  return (
    <Paper py={48}>
      <EmptyState icon={<Icon />} variant="light" title={title} description={hint}>
        {children && <EmptyState.Actions>{children}</EmptyState.Actions>}
      </EmptyState>
    </Paper>
  );
}
