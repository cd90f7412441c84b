/** A list that continues by cursor, below its filters and a button that clears them. */
import { Button, Group, Paper } from '@mantine/core';
import { FilterX, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { strings } from '../strings/strings.ts';
import { CursorList, type CursorListProps } from './cursor-list.tsx';
import { EmptyState } from './empty-state.tsx';

interface FilteredListProps<Entry> extends Pick<CursorListProps<Entry>, 'list' | 'empty'> {
  readonly values: readonly unknown[];
  readonly texts: { readonly noneTitle: string; readonly noneHint: string };
  onClear(): void;
  readonly table: CursorListProps<Entry>['children'];
  readonly children: ReactNode;
}

export function FilteredList<Entry>(props: FilteredListProps<Entry>) {
  const { list, empty, values, texts, onClear, table, children } = props;
  const isFiltered = values.some((value) => value !== undefined);
  const clear = (
    <Button variant="default" leftSection={<FilterX size={16} />} onClick={onClear}>
      {strings.app.clearFilters}
    </Button>
  );
  const none = (
    <EmptyState icon={SearchX} title={texts.noneTitle} hint={texts.noneHint}>
      {clear}
    </EmptyState>
  );
  return (
    <>
      <Paper p="md">
        <Group gap="md" align="flex-end" role="search">
          {children}
          {isFiltered && clear}
        </Group>
      </Paper>
      <CursorList list={list} isFiltered={isFiltered} empty={isFiltered ? none : empty}>
        {table}
      </CursorList>
    </>
  );
}
