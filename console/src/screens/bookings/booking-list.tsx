/** A list of bookings, page by page in the order of the API, or period by period with the newest first. */
import { useState } from 'react';
import type { Input } from '../../api/call.ts';
import { useApiList } from '../../api/hooks.ts';
import { CursorList, type CursorListProps } from '../../components/cursor-list.tsx';
import { Loading } from '../../components/loading.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import type { Booking } from './booking.ts';

/** Thousands of rows would block the browser. */
const rowsAtOnce = 100;
export const dayMs = 86_400_000;

type Filters = NonNullable<Input<'listBookings'>>;
export type Period = Pick<Filters, 'from' | 'to'>;

/**
 * The periods before `at`, newest first, because the API lists the oldest bookings of a period first. `days` are their
 * limits: 0, 2 and 8 are the last two days and the six days before.
 */
export const periodsBefore = (at: number, days: readonly number[]): readonly Period[] =>
  days.slice(1).map((start, i) => ({ from: instant(at - start * dayMs), to: instant(at - (days[i] ?? 0) * dayMs) }));

export const instant = (at: number): string => new Date(at).toISOString();

interface BookingListProps extends Pick<CursorListProps<Booking>, 'isFiltered' | 'isShown' | 'empty'> {
  readonly label: string;
  readonly input: Filters;
  /** The periods to read, the newest first. Default: no periods, the oldest booking first. */
  readonly periods?: readonly Period[] | undefined;
  readonly columns: readonly Column<Booking>[];
}

export function BookingList({ label, input, periods, columns, ...props }: BookingListProps) {
  const [rows, setRows] = useState(rowsAtOnce);
  const filters = { ...input, limit: periods ? 100 : 50 };
  // A page of a large business may contain no booking that matches.
  const list = useApiList('listBookings', filters, {
    parts: periods,
    loadsWhile: ({ entries }) => entries.length < (periods ? rows : 1),
  });
  const loaded = list.data?.entries.length ?? 0;
  if (periods && loaded === 0 && list.hasNextPage && !list.error) return <Loading lines={8} />;
  return (
    <CursorList
      list={list}
      {...(periods && { hasMore: list.hasNextPage || loaded > rows, onMore: () => setRows(rows + rowsAtOnce) })}
      {...props}
    >
      {(entries) => (
        <TableList
          label={label}
          columns={columns}
          entries={periods ? entries.slice(0, rows) : entries}
          keyOf={({ id }) => id}
        />
      )}
    </CursorList>
  );
}
