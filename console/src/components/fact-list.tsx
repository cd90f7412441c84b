/** Labels and values, line by line. */
import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FactListProps {
  readonly facts: readonly (readonly [label: string, value: ReactNode])[];
}

/** Facts without a value are omitted. */
export function FactList({ facts }: FactListProps) {
  return (
    <DataList labelWidth="clamp(90px, 25vw, 150px)">
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
        .map(([label, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Two refunds may have the same time as their label.
          <DataList.Item key={at}>
            <DataList.ItemLabel w="var(--data-list-label-width)" flex="none">
              {label}
            </DataList.ItemLabel>
            {/* An email address breaks rather than widen a phone. */}
            <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
    </DataList>
  );
}
