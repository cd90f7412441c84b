/** A skeleton while content loads. */
import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { strings } from '../strings/strings.ts';

export function Loading({ lines = 5 }: { readonly lines?: number }) {
  return (
    <Stack gap="md" aria-busy>
      <VisuallyHidden role="status">{strings.app.loading}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The lines are all alike.
        <Skeleton key={line} h={line === 0 ? 28 : 44} w={line === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  );
}
