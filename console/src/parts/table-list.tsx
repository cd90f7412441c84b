/** A list as a table: columns as rows of a table of their own, the less important of them where there is room. */
import { type MantineBreakpoint, Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Entry> {
  readonly name: string;
  readonly cell: (entry: Entry) => ReactNode;
  /** Shown on windows of this size and above. Default: always. */
  readonly from?: MantineBreakpoint;
  /** Of figures. */
  readonly atEnd?: boolean;
}

export interface TableListProps<Entry> {
  readonly label: string;
  readonly columns: readonly Column<Entry>[];
  readonly entries: readonly Entry[];
  readonly keyOf: (entry: Entry) => string | number;
}

/** Figures, dates among them, stay on one line. */
const figures = { ta: 'right', style: { whiteSpace: 'nowrap' } } as const;

/** A link of the class `row-link` in a cell makes the whole row lead there. */
export function TableList<Entry>({ label, columns, entries, keyOf }: TableListProps<Entry>) {
  return (
    <Paper p={0} style={{ overflow: 'hidden' }}>
      <Table highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, from, atEnd }) => (
              <Table.Th key={name} visibleFrom={from} ta={atEnd ? 'right' : undefined}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={keyOf(entry)} className="row-link-row">
              {columns.map(({ name, cell, from, atEnd }) => (
                <Table.Td key={name} visibleFrom={from} {...(atEnd && figures)}>
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
