/** The answers of a receiver of deliveries in tests. */
import type { Sender } from '../../core/deliveries/attempt/deliver.ts';

export type Answer = Awaited<ReturnType<Sender>>;

export const ok: Answer = { kind: 'response', status: 200, body: 'thanks', timeMs: 12 };
export const refused: Answer = { kind: 'response', status: 500, body: 'oops', timeMs: 8 };
export const platformFault: Answer = {
  kind: 'failed',
  errorCode: 'dns_error',
  message: 'The name could not be resolved.',
  platformFault: true,
  cause: undefined,
};
