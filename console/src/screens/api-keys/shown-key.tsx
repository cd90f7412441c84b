/** The value of a new key in its usual forms: in a request, and in a settings file. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { integrationUrl } from '../../session/config.ts';
import { strings } from '../../strings/strings.ts';
import { firstCurl, firstPath, type NewKey } from './first-request.ts';
import { SendTest } from './send-test.tsx';

const texts = strings.apiKeys;
const forms = ['curl', 'env'] as const;

export function ShownKey({ value, onClose }: { readonly value: NewKey; onClose(): void }) {
  const { key, scopes } = value;
  const [form, setForm] = useState<(typeof forms)[number]>('curl');
  const url = integrationUrl();
  const path = firstPath(scopes);
  const shown = url && { curl: firstCurl(url, value), env: `BOOKING_API_URL=${url}\nBOOKING_API_KEY=${key}` };
  return (
    <ShownOnce texts={texts} value={key} onClose={onClose}>
      {shown && (
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
          {path && <SendTest path={path} value={value} />}
        </Stack>
      )}
    </ShownOnce>
  );
}
