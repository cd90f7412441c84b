/** What a rule does when it matches: it sends a message to a queue, or invokes a function asynchronously. */
import type { AwsEndpoint } from './aws-endpoint.ts';
import { type KeyOf, permissionsOf } from './aws-permissions.ts';
import type { Deliver } from './event-bus.ts';
import type { Functions, InvokePermissions } from './functions.ts';
import { type LocalLog, messageOf } from './log.ts';
import type { QueueEmulator } from './sqs-emulator.ts';

export interface TargetServices {
  readonly endpoint: AwsEndpoint;
  readonly queues: QueueEmulator;
  readonly functions: Functions;
  readonly permissions: InvokePermissions;
  readonly keyOf: KeyOf;
  readonly log: LocalLog;
}

const eventBridge = { kind: 'service', name: 'events.amazonaws.com' } as const;

/** A failed target is reported in the log and in its dead-letter queue, never to the publisher. */
export function eventTargets(services: TargetServices): Deliver {
  const { queues, functions, permissions, log } = services;

  async function send(queue: string, ruleArn: string, body: string): Promise<void> {
    const name = queue.split(':').at(-1) ?? queue;
    const context = { 'aws:SourceArn': [ruleArn], 'aws:SourceAccount': [ruleArn.split(':')[4] ?? ''] };
    const needed = permissionsOf('sqs', 'SendMessage', { QueueUrl: name }, services.keyOf);
    services.endpoint.authorize(
      eventBridge,
      needed.map((one) => ({ ...one, context: { ...one.context, ...context } })),
    );
    await queues.call('SendMessage', { QueueUrl: name, MessageBody: body });
  }

  return async (rule, target, event) => {
    const body = JSON.stringify(event);
    try {
      if (target.Arn.includes(':sqs:')) {
        await send(target.Arn, rule.arn, body);
      } else {
        const one = functions.find(target.Arn);
        if (!permissions.allows(eventBridge.name, one.arn, rule.arn)) {
          throw new Error(`${eventBridge.name} has no permission to invoke ${one.name}.`);
        }
        // The publisher does not wait for the function.
        void one.pool.invoke(event).then((outcome) => {
          if (!outcome.ok)
            log.write('local', one.name, `Rule ${rule.name}: ${outcome.errorType}: ${outcome.errorMessage}`);
        });
      }
    } catch (error) {
      log.write('local', '', `Rule ${rule.name} did not reach ${target.Arn}: ${messageOf(error)}`);
      if (target.DeadLetterConfig) await send(target.DeadLetterConfig.Arn, rule.arn, body).catch(() => undefined);
    }
  };
}
