/** That canaries.test.ts would find them: functions that let keys and content out, in a system that is otherwise the same. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { LocalOptions } from '../../local/booking/start-local.ts';
import { leaksOf, type Places } from '../support/canaries.ts';
import { newTenant, withLocal } from '../support/local.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const content = 'canary-of-the-content';

/** By the end of a function's name, what is put around its handler `real`. */
const planted: Readonly<Record<string, string>> = {
  '-create-booking': 'async (event, context) => { console.log(JSON.stringify(event)); return real(event, context); }',
  '-get-business': 'async (event) => ({ statusCode: 500, body: JSON.stringify(event.headers) })',
};

const leaky: LocalOptions['mutateTemplates'] = (templates) => {
  const root = temporaryFolder('leaky');
  for (const { resources, assets } of templates) {
    for (const { Type, Properties } of Object.values(resources)) {
      const name = String(Properties?.FunctionName);
      const wrapper = Object.entries(planted).find(([end]) => name.endsWith(end))?.[1];
      if (Type !== 'AWS::Lambda::Function' || !wrapper) continue;
      const code = Properties?.Code as { S3Key: string };
      const folder = join(root, name);
      mkdirSync(folder);
      const real = JSON.stringify(join(assets.get(code.S3Key) ?? '', 'index.mjs'));
      writeFileSync(
        join(folder, 'index.mjs'),
        `import { handler as real } from ${real};\nexport const handler = ${wrapper};\n`,
      );
      (assets as Map<string, string>).set(`leaky${name}`, folder);
      code.S3Key = `leaky${name}`;
    }
  }
};

const local = withLocal({ mutateTemplates: leaky });
const logged: string[] = [];
beforeAll(() => void local().run.log.subscribe(({ text }) => logged.push(text)));

test('planted bug: a key and content in a log, and a key in an error, are found', async () => {
  const tenant = await newTenant(local());
  const booking = { ...tenant.booking(), comment: content };
  expect((await tenant.call('POST', '/bookings', booking)).status).toBe(201);
  const error = await tenant.call('GET', '/business');
  expect(error.status).toBe(500);

  const places: Places = { log: logged, error: [JSON.stringify(error.body)] };
  const leaks = leaksOf(places, () => [tenant.key.value, content]);
  const found = (start: string) => leaks.some((leak) => leak.startsWith(start));
  expect(found(`log with ${tenant.key.value}`)).toBe(true);
  expect(found(`error with ${tenant.key.value}`)).toBe(true);
  expect(found(`log with ${content}`)).toBe(true);
}, 120_000);
