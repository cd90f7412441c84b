/** The pages of a list that is numbered. Nothing, where one holds it all. */
import { Center, Pagination } from '@mantine/core';
import { strings } from '../strings/strings.ts';

export interface PagesProps {
  readonly page: number;
  readonly total: number;
  readonly limit: number;
  onChange(page: number): void;
}

export function Pages({ page, total, limit, onChange }: PagesProps) {
  const pages = Math.ceil(total / limit);
  if (pages < 2) return null;
  return (
    <Center component="nav" aria-label={strings.app.pages}>
      <Pagination
        value={page}
        total={pages}
        onChange={onChange}
        getItemProps={(number) => ({ 'aria-label': strings.app.page(number) })}
        getControlProps={(control) => ({ 'aria-label': strings.app.pageControls[control] })}
      />
    </Center>
  );
}
