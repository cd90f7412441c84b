/** Downloads a complete list as CSV, page by page. Its label counts the rows; a second click stops it. */
import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Input } from '../api/call.ts';
import { ApiError } from '../api/errors.ts';
import { type CursorListId, type EntryOf, passingFailuresRetried, useApiCalls } from '../api/hooks.ts';
import { useTimeZone } from '../app/business.tsx';
import { type Cell, csvLine, csvStart } from '../format/csv.ts';
import { isoIn } from '../format/zone.ts';
import { strings } from '../strings/strings.ts';
import { errorTitle } from './error-text.ts';
import { notify } from './notify.tsx';
import { saveFile } from './save-file.ts';

const pageSize = 100;

/** Repeats a failed request as queries do. After too many requests it waits as long as the API says. */
async function patiently<Read>(read: () => Promise<Read>, signal: AbortSignal, failures = 0): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isLimited = error.code === 'rate_limit_exceeded';
    if (!isLimited && !(error.isPassing && failures < passingFailuresRetried)) throw error;
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, (error.retryAfterSeconds ?? 1) * 1_000);
    // The next request is then aborted, too.
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    return patiently(read, signal, isLimited ? failures : failures + 1);
  }
}

export interface Beside<Related = unknown> {
  /** Formats a time in the zone of the business, with its offset. */
  time(instant: string | null | undefined): Cell;
  readonly related: Related | undefined;
}

interface ExportCsvProps<Id extends CursorListId, Related> {
  readonly list: Id;
  readonly input: Input<Id>;
  /** The file name without its extension. That of test mode begins with `test-`. */
  readonly fileName: string;
  /** Filters the entries to write. Default: all. */
  readonly isShown?: (entry: EntryOf<Id>) => boolean;
  /** Loads additional data for the columns, once for each page. */
  readonly related?: (entries: readonly EntryOf<Id>[], signal: AbortSignal) => Promise<Related>;
  /** The columns by name, which is that of the API. Times are in the zone of the business. */
  readonly columns: Readonly<Record<string, (entry: EntryOf<Id>, beside: Beside<Related>) => Cell>>;
}

export function ExportCsv<Id extends CursorListId, Related = undefined>({
  list,
  input,
  fileName,
  isShown = () => true,
  related: relatedTo,
  columns,
}: ExportCsvProps<Id, Related>) {
  const zone = useTimeZone();
  const { mode, call } = useApiCalls();
  const [rows, setRows] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async ({ signal }: AbortController) => {
    const parts = [csvStart, csvLine(Object.keys(columns))];
    let cursor: string | null = '';
    do {
      const pageQuery = { ...input, limit: pageSize, ...(cursor && { cursor }) } as Input<Id>;
      const page = (await patiently(() => call(list, pageQuery, { signal }), signal)) as unknown as {
        readonly data: readonly EntryOf<Id>[];
        readonly nextCursor: string | null;
      };
      const shown = page.data.filter(isShown);
      const beside = {
        time: (instant: string | null | undefined) => instant && isoIn(instant, zone),
        related: await patiently(async () => relatedTo?.(shown, signal), signal),
      };
      parts.push(...shown.map((entry) => csvLine(Object.values(columns).map((cell) => cell(entry, beside)))));
      setRows(parts.length - 2);
      cursor = page.nextCursor;
    } while (cursor);
    if (!signal.aborted) saveFile(`${mode === 'test' ? 'test-' : ''}${fileName}.csv`, 'text/csv;charset=utf-8', parts);
  };

  const onClick = async () => {
    if (running.current) return running.current.abort();
    const started = new AbortController();
    running.current = started;
    setRows(0);
    try {
      await run(started);
    } catch (error) {
      if (error instanceof ApiError) notify(errorTitle(error));
      else if (!started.signal.aborted) throw error;
    } finally {
      running.current = undefined;
      setRows(undefined);
    }
  };
  return (
    <Button w="fit-content" variant="default" leftSection={<Download size={18} />} onClick={() => void onClick()}>
      {rows === undefined ? strings.app.exportCsv : strings.app.exportingCsv(rows)}
    </Button>
  );
}
