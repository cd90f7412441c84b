/** Shows the name of a client by id. It is loaded once, even if it is shown several times. */
import { Skeleton } from '@mantine/core';
import type { Answer } from '../api/call.ts';
import { useApi } from '../api/hooks.ts';
import { strings } from '../strings/strings.ts';

export function ClientName({ id }: { readonly id: number }) {
  const { data, error } = useApi('getClient', { id });
  if (error) return strings.app.numbered(id);
  return nameOf(data) ?? <Skeleton component="span" display="inline-block" h={12} w={90} />;
}

/** Undefined while the client is not loaded. */
export const nameOf = (client: Pick<Answer<'getClient'>, 'name'> | undefined) =>
  client && (client.name || strings.clients.erased);
