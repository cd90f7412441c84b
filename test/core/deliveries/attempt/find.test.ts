/** What becomes of a message when something of what it names is gone (docs/rules.md#webhooks, #retries). */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { dynamo } from '../../../../core/clients.ts';
import { deliver } from '../../../../core/deliveries/attempt/deliver.ts';
import { log } from '../../../../core/log.ts';
import { deliveries, secrets } from '../../../../core/table-keys.ts';
import { tableName } from '../../../support/dynamo.ts';
import { context, ok } from '../../../support/pipeline.ts';
import { headsOf } from '../../../support/pipeline-state.ts';
import { plannedMessages } from '../../../support/planned-messages.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

test.each([
  ['webhook', 'deliveries', ({ pk, sk }: { pk: string; sk: string }) => ({ pk, sk }), 0],
  ['record', 'deliveries', ({ id }: { id: number }) => deliveries.record(id, 1), 0],
  ['secret', 'secrets', ({ id }: { id: number }) => secrets.signing(id), 1],
] as const)(
  'A delivery without its %s sends nothing, and its message is acknowledged',
  async (_, store, keyOf, comesBack) => {
    const complained = vi.spyOn(log, 'error').mockReturnValue();
    const { pipeline, webhook, messages } = await plannedMessages(begin, 1);
    await dynamo().send(new DeleteCommand({ TableName: tableName(store), Key: keyOf(webhook) }));

    const sender = vi.fn(async () => ok);
    await expect(Promise.all(deliver([messages], context, sender))).resolves.toHaveLength(1);
    expect(sender).not.toHaveBeenCalled();
    // A webhook without a secret is our fault: the same attempt is made again, and nothing is held against it.
    expect(pipeline.queues.retries.bodies).toHaveLength(comesBack);
    if (!comesBack) return;
    expect(await headsOf(webhook.id)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(complained.mock.lastCall).toEqual(['A webhook has no signing secret', { webhookId: webhook.id }]);
  },
);
