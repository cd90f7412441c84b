/** The value of a new key. */
import { Code, Text } from '@mantine/core';
import { ShownOnce } from '../../components/shown-once.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.apiKeys;

export function ShownKey({ value, onClose }: { readonly value: string; onClose(): void }) {
  return (
    <ShownOnce
      title={texts.shownTitle}
      label={texts.shownLabel}
      value={value}
      warning={texts.shownWarning}
      onClose={onClose}
    >
      <Text size="sm">
        {texts.shownUse} <Code>X-API-Key: {value.slice(0, 12)}…</Code>
      </Text>
    </ShownOnce>
  );
}
