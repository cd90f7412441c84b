/** Bugs that pipelines of this kind are known for. The simulation must find each. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { schedules } from '../../contract/schedules.ts';
import { eventBridge } from '../../core/clients.ts';
import { eventOf, type OutboxItem } from '../../core/events/event.ts';
import { chunks } from '../../core/events/publish.ts';

/** The functions as Lambda calls them. */
export interface Functions {
  relay(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse>;
  plan(event: SQSEvent, context: Context): Promise<SQSBatchResponse>;
  deliver(event: SQSEvent, context: Context): Promise<SQSBatchResponse>;
}

export interface PlantedBug {
  readonly functions?: (real: Functions) => Partial<Functions>;
  /** A row of `contract/schedules.ts` that never runs. */
  readonly without?: keyof typeof schedules;
  readonly acknowledgesFirst?: true;
}

export const plantedBugs = {
  /** Whatever was seen once is dropped, also when the first time ended in a crash. */
  'deduplicate-before-enqueue': {
    functions: (real) => {
      const seen = new Set<number>();
      return {
        plan: ({ Records }, context) => {
          const ids = Records.map(({ body }): number => JSON.parse(body).detail.id);
          const fresh = Records.filter((_, i) => !seen.has(ids[i] ?? 0));
          for (const id of ids) seen.add(id);
          return real.plan({ Records: fresh }, context);
        },
      };
    },
  },
  /** Nobody looks for events that the stream lost. */
  'no-sweeper': { without: 'sweep' },
  /** Nobody looks for deliveries whose messages ended in a dead-letter queue. */
  'no-delivery-sweeper': { without: 'sweepDeliveries' },
  /** A message is deleted when it is received, and not when the next step is sure. */
  'acknowledge-before-next-hop': { acknowledgesFirst: true },
  /** A 200 of PutEvents counts as success, whatever its entries say. */
  'ignore-failed-entry-count': {
    functions: () => ({
      relay: async ({ Records }) => {
        const images = Records.map(({ dynamodb }) => (dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>);
        const events = images.map((image) => eventOf(unmarshall(image) as OutboxItem));
        for (const chunk of chunks(events)) {
          await eventBridge().send(new PutEventsCommand({ Entries: chunk.map(({ entry }) => entry) }));
        }
        return { batchItemFailures: [] };
      },
    }),
  },
} as const satisfies Record<string, PlantedBug>;

export type PlantedBugName = keyof typeof plantedBugs;
