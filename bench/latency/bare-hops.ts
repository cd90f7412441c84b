/**
 * The hops of a delivery without its work: the same templates, queues, mappings and pollers, with three functions that
 * only pass on their input. An item is put into the outbox; it names its receiver, which the last function calls.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '../../core/clock.ts';
import { outboxShards, records } from '../../core/table-keys.ts';
import { adminOf } from '../../local/admin.ts';
import { startLocal } from '../../local/start-local.ts';
import { wrapHandlers } from '../../test/support/wrapped-handlers.ts';

/** It does not use the SDK, whose start and signatures are not part of a hop. The local run only checks the key id. */
const call = `const call = async (target, body) => {
  const { AWS_ACCESS_KEY_ID: id, AWS_ENDPOINT_URL: url } = process.env;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': target,
    authorization: \`AWS4-HMAC-SHA256 Credential=\${id}/20270101/eu-central-1/any/aws4_request\`,
  };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(\`\${target}: \${answer.status} \${await answer.text()}\`);
  return answer.json();
};
const done = { batchItemFailures: [] };
`;

/** The handlers by the end of a function's name. */
const handlers: Readonly<Record<string, string>> = {
  '-relay-events': `async ({ Records }) => {
    for (const { dynamodb } of Records) {
      const { name, target } = dynamodb.NewImage;
      const entry = {
        EventBusName: process.env.EVENT_BUS,
        Source: dynamodb.NewImage.source.S,
        DetailType: name.S,
        Detail: JSON.stringify({ target: target.S }),
      };
      await call('AWSEvents.PutEvents', { Entries: [entry] });
    }
    return done;
  }`,
  '-plan-deliveries-events': `async ({ Records }) => {
    for (const { body } of Records) {
      const { target } = JSON.parse(body).detail;
      const message = { QueueUrl: process.env.QUEUE_DELIVERIES, MessageBody: target, MessageGroupId: 'bare' };
      await call('AmazonSQS.SendMessage', message);
    }
    return done;
  }`,
  '-deliver-webhook-deliveries': `async ({ Records }) => {
    for (const { body } of Records) await (await fetch(body, { method: 'POST', body: '{}' })).text();
    return done;
  }`,
};

const wrappers = Object.fromEntries(
  Object.entries(handlers).map(([end, handler]) => [end, `(() => {\n${call}return ${handler};\n})()`]),
);

interface BareHops {
  /** Resolves when the item is in the outbox. The last function calls its receiver. */
  send(receiver: string): Promise<void>;
  stop(): Promise<void>;
}

export async function bareHops(source: string, eventName: string): Promise<BareHops> {
  const root = mkdtempSync(join(tmpdir(), 'bare-hops-'));
  const run = await startLocal({ port: 0, mutateTemplates: (templates) => wrapHandlers(templates, wrappers, root) });
  const { db, table } = adminOf(run);
  return {
    async send(target) {
      const id = newId();
      const key = records.outbox({ id, shard: id % outboxShards });
      await db.send(new PutCommand({ TableName: table('records'), Item: { ...key, name: eventName, source, target } }));
    },
    async stop() {
      db.destroy();
      await run.stop();
      rmSync(root, { recursive: true });
    },
  };
}
