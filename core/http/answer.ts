/** A verb's value as the answer that its row describes: status, body, `Location`, `ETag`. */
import type { Endpoint } from '../../contract/define.ts';
import { replayedHeader } from '../../contract/headers.ts';
import type { Once } from '../idempotency/idempotently.ts';
import { etagOf, noneMatchNames } from './etag.ts';
import type { Exchange, HttpResult } from './exchange.ts';
import { broughtBy } from './people.ts';
import { project } from './project.ts';

export function answer(prefix: string, route: Endpoint, served: unknown, exchange: Exchange): HttpResult {
  const { value, replayed } = route.idempotent ? (served as Once<unknown>) : { value: served, replayed: false };
  if (route.status === 204) return { statusCode: 204, headers: {} };

  const body = JSON.stringify(route.output ? project(route.output, value, broughtBy(exchange)) : value);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...(route.location && { Location: prefix + pathOf(route.location, value) }),
    ...(replayed && replayedHeader),
  };
  if (!route.etag) return { statusCode: route.status, headers, body };

  // The key decides what is in the answer, so no shared cache may keep it; a private one asks each time.
  const revalidated = { ETag: etagOf(body), 'Cache-Control': 'private, no-cache' };
  if (noneMatchNames(revalidated.ETag, exchange.headers['if-none-match'])) {
    return { statusCode: 304, headers: revalidated };
  }
  return { statusCode: route.status, headers: { ...headers, ...revalidated }, body };
}

/** `/webhooks/:id` and `{ id: 7 }` → `/webhooks/7`. */
function pathOf(pattern: string, value: unknown): string {
  const fields = value as Readonly<Record<string, unknown>>;
  return pattern.replace(/:([A-Za-z]+)/g, (_, name) => encodeURIComponent(String(fields[name])));
}
