/** Shows the name of a client by id. It is loaded once, even if it is shown several times. */
import { Skeleton, Text } from '@mantine/core';
import { useApi } from '../api/hooks.ts';
import { strings } from '../strings/strings.ts';

export function ClientName({ id }: { readonly id: number }) {
  const { data, error } = useApi('getClient', { id });
  if (error) return strings.app.numbered(id);
  if (!data) return <Skeleton component="span" display="inline-block" h={12} w={90} />;
  if (data.erasedAt) {
    return (
      <Text span inherit fs="italic">
        {strings.clients.erased}
      </Text>
    );
  }
  return data.name;
}
