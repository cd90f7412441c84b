/** The receivers of the demo business's webhooks, on this machine during the run. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deliveries } from '../core/table-keys.ts';
import type { WebhookItem } from '../core/webhooks/registry/webhook.ts';
import { type Admin, itemsIn } from './admin.ts';
import { demoReceivers } from './past/receivers.ts';

export interface DemoReceiver {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  close(): void;
}

/** Listens on a free port, and responds according to the table. */
export async function openDemoReceiver(): Promise<DemoReceiver> {
  const server = createServer((request, response) => {
    const found = demoReceivers.find(({ path }) => path === request.url);
    request.resume().once('end', () => response.writeHead(found?.answers.status ?? 404).end(found?.answers.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Updates the webhooks of a business from an earlier run to this address. */
export async function leadTo(admin: Admin, tenantId: number, url: string): Promise<void> {
  const webhooks = await itemsIn(admin, 'deliveries', deliveries.tenant(tenantId), deliveries.webhookPrefix);
  for (const { pk, sk, targetUrl } of webhooks as WebhookItem[]) {
    const target = URL.parse(targetUrl);
    if (target?.hostname !== '127.0.0.1' || !demoReceivers.some(({ path }) => path === target.pathname)) continue;
    await admin.db.send(
      new UpdateCommand({
        TableName: admin.table('deliveries'),
        Key: { pk, sk },
        UpdateExpression: 'SET targetUrl = :target',
        ExpressionAttributeValues: { ':target': `${url}${target.pathname}` },
      }),
    );
  }
}
