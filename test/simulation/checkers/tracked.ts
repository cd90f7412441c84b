/** What the checkers keep of each delivery, and what they observe. */
import type { DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import type { SendOutcome } from '../../../core/webhooks/sender/send.ts';
import type { MemoryDynamo } from '../../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Invocation, World } from '../world.ts';
import type { Findings } from './findings.ts';

/** One request to a receiver. */
export interface Made {
  /** The delivery's next attempt when the request began. */
  readonly attempt: number;
  /** The delivery had moved on since the function began, which may think that it makes an earlier attempt. */
  readonly stale: boolean;
  readonly invocation: Invocation;
  readonly startedAt: number;
  /** The same, as the sender's own clock showed it. */
  readonly startedByClock: number;
  endedAt?: number;
  endedByClock?: number;
  outcome?: SendOutcome;
  /** What the record is to contain when there was no answer. */
  errorCode?: string | undefined;
}

/** A record that messages name: of the scheduled attempts, or of one redelivery. */
export interface Tracked {
  readonly webhookId: number;
  readonly number: number;
  readonly deliveryId: string;
  /** What has the same `deliveryId`: first the scheduled attempts, then the redeliveries in their order. */
  readonly family: Tracked[];
  /** When it was committed, and its `createdAt`. */
  readonly beganAt: number;
  readonly createdAt: number;
  state: DeliveryItem['state'];
  /** It ended because its webhook or key was not active: nothing was sent. */
  wasSkipped?: boolean;
  changedAt: number;
  /** Forgotten at the end. */
  requests: Made[];
  /** Of the first of a family: the requests of all. */
  requestCount: number;
  /** Messages that lead to it. */
  messages: number;
}

export interface Observed {
  readonly world: World;
  readonly store: MemoryDynamo;
  readonly tables: { readonly records: string; readonly deliveries: string; readonly secrets: string };
  readonly findings: Findings;
}

export const isHead = (item: unknown): item is DeliveryItem =>
  typeof item === 'object' && item !== null && 'state' in item;

export const isOver = ({ state }: { readonly state: DeliveryItem['state'] }) =>
  state === 'success' || state === 'failed';

/** Whether the integrator's server took it (docs/rules.md#attempts). */
export const isGood = (outcome: SendOutcome | undefined) =>
  outcome?.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
