/** A list as a table. Less important columns appear on wider windows only. */
import { type MantineBreakpoint, Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Entry> {
  readonly name: string;
  readonly cell: (entry: Entry) => ReactNode;
  /** The smallest window that shows the column. Default: any. */
  readonly visibleFrom?: MantineBreakpoint;
  /** Aligned to the right, on one line. */
  readonly isNumeric?: boolean;
}

export interface TableListProps<Entry> {
  readonly label: string;
  readonly columns: readonly Column<Entry>[];
  readonly entries: readonly Entry[];
  readonly keyOf: (entry: Entry) => string | number;
}

const figures = { ta: 'right', style: { whiteSpace: 'nowrap' } } as const;

/** A link of the class `row-link` in a cell makes the whole row a link. */
export function TableList<Entry>({ label, columns, entries, keyOf }: TableListProps<Entry>) {
  return (
    <Paper p={0} style={{ overflow: 'hidden' }}>
      <Table highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, visibleFrom, isNumeric }) => (
              <Table.Th key={name} visibleFrom={visibleFrom} ta={isNumeric ? 'right' : undefined}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={keyOf(entry)} className="row-link-row">
              {columns.map(({ name, cell, visibleFrom, isNumeric }) => (
                <Table.Td key={name} visibleFrom={visibleFrom} {...(isNumeric && figures)}>
                  {cell(entry)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
