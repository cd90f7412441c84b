/** Negative control of erasure.test.ts: the consumer of the queue `erasures` erases nothing. */
import { beforeAll, expect, test } from 'vitest';
import { erasedClient } from '../support/erased-client.ts';
import { injected } from '../support/injected.ts';
import { withLocal } from '../support/local.ts';

const idle = injected({ '-erase-clients-erasures': 'async () => ({ batchItemFailures: [] })' });
const local = withLocal({ timeScale: 60, mutateTemplates: idle });
const logged: string[] = [];
beforeAll(() => void local().run.log.subscribe(({ text }) => logged.push(text)));

test("Negative control: if an erasure deletes only the client's own item, the search finds data of the client in other items", async () => {
  const { leaks } = await erasedClient(local(), logged);
  const places = new Set((await leaks(true)).map((leak) => leak.split(' ')[0]));
  expect([...places].sort()).toEqual(['answer', 'deliveries', 'records']);
});
