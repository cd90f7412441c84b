/** The new signing secret of a webhook. */
import { Anchor } from '@mantine/core';
import { ShownOnce } from '../../components/shown-once.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.webhooks;
const guide = '/docs/receiving-webhooks/';

export function ShownSecret({ value, onClose }: { readonly value: string; onClose(): void }) {
  return (
    <ShownOnce texts={texts} value={value} onClose={onClose}>
      <Anchor href={guide} target="_blank" size="sm">
        {texts.shownUse}
      </Anchor>
    </ShownOnce>
  );
}
