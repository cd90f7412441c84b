/** A page of a bounded list (docs/rules.md#lists): `page` from 1, `limit` with its default. */
import { limits } from '../contract/limits.ts';

export interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

export interface Page<T> {
  data: T[];
  total: number;
}

export function cutPage<T>(rows: readonly T[], query: PageQuery): Page<T> {
  const limit = query.limit ?? limits.pageSizeDefault;
  const start = ((query.page ?? 1) - 1) * limit;
  return { data: rows.slice(start, start + limit), total: rows.length };
}
