import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const doc = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

test('The guide to receiving webhooks shows exactly the verification code that the demo receiver runs', async () => {
  const guide = await doc('receiving-webhooks.md');
  const shown = /<!-- The next block is docs\/examples\/verify-webhook\.ts.*-->\n```ts\n([\s\S]*?)```\n/.exec(
    guide,
  )?.[1];
  expect(shown).toBe(await doc('examples/verify-webhook.ts'));
});
