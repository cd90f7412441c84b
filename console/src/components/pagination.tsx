/** The pages of a numbered list. Renders nothing if there is only one page. */
import { Center, Pagination as MantinePagination } from '@mantine/core';
import { useEffect } from 'react';
import { strings } from '../strings/strings.ts';

interface PaginationProps {
  readonly page: number;
  readonly total: number;
  readonly limit: number;
  onChange(page: number): void;
}

export function Pagination({ page, total, limit, onChange }: PaginationProps) {
  const pages = Math.ceil(total / limit);
  const isBehind = total > 0 && page > pages;
  // The last entry of the last page was deleted, or the address is outdated.
  // biome-ignore lint/correctness/useExhaustiveDependencies: The page is left once.
  useEffect(() => {
    if (isBehind) onChange(pages);
  }, [isBehind]);
  if (pages < 2) return null;
  return (
    <Center component="nav" aria-label={strings.app.pages}>
      <MantinePagination
        value={page}
        total={pages}
        onChange={onChange}
        getItemProps={(number) => ({ 'aria-label': strings.app.page(number) })}
        getControlProps={(control) => ({ 'aria-label': strings.app.pageControls[control] })}
      />
    </Center>
  );
}
