/** The example request of an endpoint from the documents, with existing ids instead of the recorded ones. */
import type { Endpoint } from '../../contract/define.ts';
import { accountExamples, type Example, examples } from '../../contract/examples.ts';
import type { Api } from '../../lib/apis.ts';
import { stableDay } from './stable.ts';

export interface RecordedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Returns the id of a resource in the collection of a path, such as `/services` or `/slots/holds`. */
export type IdIn = (collection: string) => Promise<number | string> | number | string;

/** Replaces the webhook URL of the documents, so that nothing is sent to another machine. */
export const loopbackTarget = 'http://127.0.0.1:9999/';

/** `day` replaces the day of the recorded appointments. */
export async function recordedRequest(
  { folder, operation, path }: Endpoint & Pick<Api, 'folder'> & { readonly operation: string },
  idIn: IdIn,
  day = stableDay,
): Promise<RecordedRequest> {
  const all: Readonly<Record<string, Example>> = folder === 'api' ? examples.operations : accountExamples;
  const { params: recorded = {}, query = {}, headers = {}, body } = all[operation] ?? {};
  const meant = (value: unknown) => meantOf(value, idIn, day);
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(recorded)) {
    params[name] = String(/id$/i.test(name) ? await idIn(collectionOf(path, name)) : value);
  }
  return {
    params,
    query: (await meant(query)) as RecordedRequest['query'],
    headers,
    ...(body !== undefined && { body: await meant(body) }),
  };
}

/** Returns `/webhooks` for the `id` of `/webhooks/:id/ping`. */
function collectionOf(path: string, param: string): string {
  return path.slice(0, path.indexOf(`/:${param}`));
}

/** Replaces the ids in fields that name another resource, such as `serviceId` and `serviceIds`. */
async function meantOf(value: unknown, idIn: IdIn, day: string, field = ''): Promise<unknown> {
  const [, noun] = /^(.+)Ids?$/.exec(field) ?? [];
  if (typeof value === 'number' && noun) return idIn(`/${pluralOf(noun)}`);
  if (field === 'targetUrl') return loopbackTarget;
  if (typeof value === 'string') return value.replace(stableDay, day);
  if (Array.isArray(value)) return Promise.all(value.map((one) => meantOf(one, idIn, day, field)));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(async ([name, one]) => [
    name.replace(stableDay, day),
    await meantOf(one, idIn, day, name),
  ]);
  return Object.fromEntries(await Promise.all(fields));
}

/** Returns the collection of a noun, such as `api-keys` for `apiKey`. */
function pluralOf(noun: string): string {
  const words = noun.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return words === 'staff' ? words : `${words}s`;
}
