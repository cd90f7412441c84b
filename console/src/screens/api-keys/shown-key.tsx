/** The value of a new key, as it is used: in a request, and in a file of settings. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useIntegrationUrl } from '../../api/integration-url.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.apiKeys;
const forms = ['curl', 'env'] as const;

export type NewKey = Pick<Answer<'createApiKey'>, 'key' | 'scopes'>;

/** What a key may read without any parameter. */
const readable: Partial<Record<NewKey['scopes'][number], string>> = {
  'services:read': '/services',
  'business:read': '/business',
  'staff:read': '/staff',
  'bookings:read': '/bookings',
  'reviews:read': '/reviews',
  'webhooks:manage': '/webhooks',
};

export function ShownKey({ value: { key, scopes }, onClose }: { readonly value: NewKey; onClose(): void }) {
  const [form, setForm] = useState<(typeof forms)[number]>('curl');
  const url = useIntegrationUrl();
  const path = Object.entries(readable).find(([scope]) => scopes.some((one) => one === scope))?.[1] ?? '';
  const shown = {
    curl: `curl '${url}${path}' -H 'X-API-Key: ${key}'`,
    env: `BOOKING_API_URL=${url}\nBOOKING_API_KEY=${key}`,
  };
  return (
    <ShownOnce
      title={texts.shownTitle}
      label={texts.shownLabel}
      value={key}
      warning={texts.shownWarning}
      onClose={onClose}
    >
      {url && (
        <Stack gap={6}>
          <Text size="sm">{texts.shownUse}</Text>
          <SegmentedControl
            size="xs"
            w="fit-content"
            aria-label={texts.shownUse}
            value={form}
            onChange={setForm}
            data={forms.map((name) => ({ value: name, label: texts.shownForms[name] }))}
          />
          <CodeBlock label={texts.shownForms[form]} text={shown[form]} />
        </Stack>
      )}
    </ShownOnce>
  );
}
