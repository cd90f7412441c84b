/** The id of a request. For owners it links to the entry in the request log. */
import { Code } from '@mantine/core';
import { useMay } from '../app/role.ts';
import { AnchorLink } from './link.tsx';

export function RequestLink({ requestId }: { readonly requestId: string }) {
  const may = useMay();
  const id = <Code>{requestId}</Code>;
  if (!may('owner')) return id;
  return (
    <AnchorLink inherit to="/requests" search={{ requestId }}>
      {id}
    </AnchorLink>
  );
}
