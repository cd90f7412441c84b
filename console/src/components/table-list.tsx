/** A list as a table. Less important columns appear on wider windows only. */
import { type MantineBreakpoint, Paper, Table, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { byName } from '../format/formats.ts';
import { strings } from '../strings/strings.ts';
import { DimmedText } from './dimmed-text.tsx';

export interface Column<Entry> {
  readonly name: string;
  readonly cell: (entry: Entry) => ReactNode;
  /** The smallest window that shows the column. Default: any. */
  readonly visibleFrom?: MantineBreakpoint;
  /** Whether a window without the column shows its cell below that of the first column. */
  readonly isFolded?: boolean;
  /** Aligns the column to the right, on one line. */
  readonly isNumeric?: boolean;
  /** Returns the sort key for a click on the column header. Only complete lists can be sorted. */
  readonly sortBy?: (entry: Entry) => string | number;
}

interface TableListProps<Entry> {
  readonly label: string;
  readonly columns: readonly Column<Entry>[];
  readonly entries: readonly Entry[];
  readonly keyOf: (entry: Entry) => string | number;
  /** Returns the heading of the entry's group while no column sorts the list. Entries without a group are last. */
  readonly groupOf?: (entry: Entry) => string;
}

interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

const figures = { ta: 'right', style: { whiteSpace: 'nowrap' } } as const;

/** A link of the class `row-link` in a cell, such as a `RowLink`, makes the whole row a link. */
export function TableList<Entry>({ label, columns, entries, keyOf, groupOf }: TableListProps<Entry>) {
  const [sorting, setSorting] = useState<Sorting>();
  const sortBy = columns.find(({ name }) => name === sorting?.column)?.sortBy;
  const ascending = sortBy ? entries.toSorted((a, b) => compare(sortBy(a), sortBy(b))) : entries;
  const shown = sortBy && sorting?.isDescending ? ascending.toReversed() : ascending;
  const groups = [...Map.groupBy(shown, (entry) => (!sortBy && groupOf?.(entry)) || '')].sort(
    ([one], [other]) => Number(one === '') - Number(other === '') || byName(one, other),
  );
  const folded = columns.filter(({ isFolded }) => isFolded);
  const turn = (column: string) =>
    setSorting((old) => ({ column, isDescending: old?.column === column && !old.isDescending }));
  return (
    <Paper p={0} style={{ overflowX: 'auto' }}>
      <Table highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => {
              const { name, visibleFrom, isNumeric } = column;
              const isSorted = sortBy !== undefined && sorting?.column === name;
              const Arrow = sorting?.isDescending ? ArrowDown : ArrowUp;
              return (
                <Table.Th
                  key={name}
                  visibleFrom={visibleFrom}
                  ta={isNumeric ? 'right' : undefined}
                  aria-sort={isSorted ? (sorting?.isDescending ? 'descending' : 'ascending') : undefined}
                >
                  {column.sortBy && entries.length > 1 ? (
                    <UnstyledButton fz="inherit" fw="inherit" onClick={() => turn(name)}>
                      {name} {isSorted && <Arrow size={14} style={{ verticalAlign: '-0.125em' }} aria-hidden />}
                    </UnstyledButton>
                  ) : (
                    name
                  )}
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map(([group, some]) => (
            <Fragment key={group}>
              {groups.length > 1 && (
                <Table.Tr>
                  <Table.Th scope="rowgroup" colSpan={columns.length} c="dimmed" fz="sm">
                    {group || strings.app.ungrouped}
                  </Table.Th>
                </Table.Tr>
              )}
              {some.map((entry) => (
                <Table.Tr key={keyOf(entry)} className="row-link-row">
                  {columns.map(({ name, cell, visibleFrom, isNumeric }, at) => (
                    <Table.Td key={name} visibleFrom={visibleFrom} {...(isNumeric && figures)}>
                      {cell(entry)}
                      {at === 0 && folded[0] && (
                        <DimmedText component="div" hiddenFrom={folded[0].visibleFrom}>
                          {folded.map((column, nth) => (
                            <Fragment key={column.name}>
                              {nth > 0 && ' · '}
                              {column.cell(entry)}
                            </Fragment>
                          ))}
                        </DimmedText>
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : byName(String(a), String(b));
}
