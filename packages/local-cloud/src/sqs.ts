/** Queues: created in the SQS emulator as the templates define them. */
import * as z from 'zod/mini';
import { arn, localAccount } from './arn.ts';
import { type Addresses, ignored, type Kind, number } from './kind.ts';
import type { Model } from './model.ts';
import type { QueueEmulator } from './sqs-emulator.ts';

const queue = {
  type: 'AWS::SQS::Queue',
  nameProperty: 'QueueName',
  ref: queueUrl,
  attribute: (attribute, name, addresses) =>
    ({ Arn: arn('sqs', name), QueueName: name, QueueUrl: queueUrl(name, addresses) })[attribute],
  properties: z.strictObject({
    QueueName: z.optional(z.string()),
    DelaySeconds: z.optional(number),
    VisibilityTimeout: z._default(number, 30),
    ReceiveMessageWaitTimeSeconds: z.optional(number),
    MessageRetentionPeriod: z.optional(number),
    MaximumMessageSize: z.optional(number),
    RedrivePolicy: z.optional(z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: number })),
    KmsMasterKeyId: z.optional(z.string()),
    KmsDataKeyReusePeriodSeconds: ignored,
    RedriveAllowPolicy: ignored,
    SqsManagedSseEnabled: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

export const queueKinds: readonly Kind[] = [queue];

function queueUrl(name: string, addresses: Addresses): string {
  return `${addresses.awsEndpoint}/${localAccount}/${name}`;
}

export interface CloudQueue {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  readonly deadLetterQueue?: Omit<CloudQueue, 'deadLetterQueue'>;
}

export interface Queues {
  readonly count: number;
  /** All queues except those that are only dead-letter queues of others. */
  readonly queues: readonly CloudQueue[];
  /** Keys that the callers of a queue must be allowed to use, by the queue's ARN. */
  readonly keys: ReadonlyMap<string, string>;
  /** The visibility timeouts of the templates, by the queue's ARN. */
  readonly visibilitySeconds: ReadonlyMap<string, number>;
}

/** `visibilitySeconds` is the visibility timeout of every queue, instead of that in the templates. */
export async function createQueues(
  model: Model,
  emulator: QueueEmulator,
  visibilitySeconds: number | undefined,
): Promise<Queues> {
  const keys = new Map<string, string>();
  const all = model.all(queue);
  for (const { name, properties } of all) {
    const { RedrivePolicy: redrive, KmsMasterKeyId: key } = properties;
    if (key && key !== 'alias/aws/sqs')
      keys.set(arn('sqs', name), key.startsWith('arn:') ? key : arn('kms', `key/${key}`));
    await emulator.createQueue(name, {
      ...numbers({
        DelaySeconds: properties.DelaySeconds,
        VisibilityTimeout: visibilitySeconds ?? properties.VisibilityTimeout,
        ReceiveMessageWaitTimeSeconds: properties.ReceiveMessageWaitTimeSeconds,
        MessageRetentionPeriod: properties.MessageRetentionPeriod,
        MaximumMessageSize: properties.MaximumMessageSize,
      }),
      ...(redrive && { RedrivePolicy: JSON.stringify(redrive) }),
    });
  }
  const described = (name: string) => ({ name, url: queueUrl(name, model.addresses), arn: arn('sqs', name) });
  const dead = new Set(all.map(({ properties }) => properties.RedrivePolicy?.deadLetterTargetArn.split(':').at(-1)));
  return {
    count: all.length,
    queues: all
      .filter(({ name }) => !dead.has(name))
      .map(({ name, properties: { RedrivePolicy } }) => {
        const deadName = RedrivePolicy?.deadLetterTargetArn.split(':').at(-1);
        return { ...described(name), ...(deadName !== undefined && { deadLetterQueue: described(deadName) }) };
      }),
    keys,
    visibilitySeconds: new Map(all.map(({ name, properties }) => [arn('sqs', name), properties.VisibilityTimeout])),
  };
}

function numbers(values: Readonly<Record<string, number | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
