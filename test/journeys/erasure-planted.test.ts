/** That erasure.test.ts would find what is left: a system whose queue `erasures` is emptied by nobody who erases. */
import { beforeAll, expect, test } from 'vitest';
import { erasedClient } from '../support/erased-client.ts';
import { withLocal } from '../support/local.ts';
import { planted } from '../support/planted.ts';

const idle = planted({ '-erase-clients-erasures': 'async () => ({ batchItemFailures: [] })' });
const local = withLocal({ timeScale: 60, mutateTemplates: idle });
const logged: string[] = [];
beforeAll(() => void local().run.log.subscribe(({ text }) => logged.push(text)));

test('planted bug: an erasure that ends with the client leaves bookings, answers and messages that are found', async () => {
  const { leaks } = await erasedClient(local(), logged);
  const places = new Set((await leaks(true)).map((leak) => leak.split(' ')[0]));
  expect([...places].sort()).toEqual(['answer', 'deliveries', 'records']);
}, 240_000);
