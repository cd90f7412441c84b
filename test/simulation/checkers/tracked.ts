/** The data that checkers store about each delivery, and the calls that they observe. */
import type { DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import type { SendOutcome } from '../../../core/webhooks/sender/send.ts';
import type { MemoryDynamo } from '../../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Invocation, SimulatedRuntime } from '../simulated-runtime.ts';
import type { Findings } from './findings.ts';

export interface Made {
  /** The number of the delivery's next attempt when the request began. */
  readonly attempt: number;
  /** Whether the delivery changed after the function began, which then may make an earlier attempt. */
  readonly stale: boolean;
  readonly invocation: Invocation;
  readonly startedAt: number;
  /** The start by the sender's own clock. */
  readonly startedByClock: number;
  endedAt?: number;
  endedByClock?: number;
  outcome?: SendOutcome;
  /** The error code that the record must contain if there was no response. */
  errorCode?: string | undefined;
}

/** A record that messages name: of the scheduled attempts, or of one redelivery. */
export interface Tracked {
  readonly webhookId: number;
  readonly number: number;
  readonly deliveryId: string;
  /** Records with the same `deliveryId`: first the scheduled attempts, then the redeliveries in order. */
  readonly family: Tracked[];
  /** The time of its commit, and its `createdAt`. */
  readonly beganAt: number;
  readonly createdAt: number;
  state: DeliveryItem['state'];
  /** The delivery ended without a request, because its webhook or key was not active. */
  wasSkipped?: boolean;
  changedAt: number;
  requests: Made[];
  /** In the first of a family: the number of requests of all. */
  requestCount: number;
  messages: number;
}

export interface Observed {
  readonly runtime: SimulatedRuntime;
  readonly store: MemoryDynamo;
  readonly tables: { readonly records: string; readonly deliveries: string; readonly secrets: string };
  readonly findings: Findings;
}

export const isDelivery = (item: unknown): item is DeliveryItem =>
  typeof item === 'object' && item !== null && 'state' in item;

export const isOver = ({ state }: { readonly state: DeliveryItem['state'] }) =>
  state === 'success' || state === 'failed';

/** Whether the integrator's server accepted it (docs/rules.md#attempts). */
export const isGood = (outcome: SendOutcome | undefined) =>
  outcome?.kind === 'response' && outcome.status >= 200 && outcome.status <= 299;
