/** The id of a request. For owners it leads to what became of the request. */
import { Anchor, Code } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMay } from '../app/role.ts';

export function RequestLink({ requestId }: { readonly requestId: string }) {
  const may = useMay();
  const id = <Code>{requestId}</Code>;
  if (!may('owner')) return id;
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/requests" search={{ requestId }} {...props} />}>
      {id}
    </Anchor>
  );
}
