/** The network between the platform and the integrators' servers. */
import type { Sender } from '../../core/deliveries/attempt/deliver.ts';
import { type SendRequest, send } from '../../core/webhooks/sender/send.ts';
import { seededContent } from './arrivals.ts';
import type { Checkers } from './checkers/checkers.ts';
import type { Random } from './random.ts';
import type { Receiver } from './receivers.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

export interface NetworkOptions {
  readonly runtime: SimulatedRuntime;
  readonly random: Random;
  readonly checkers: Checkers;
  readonly receivers: ReadonlyMap<string, Receiver>;
  /** The probability that the platform calls the resolver wrongly. */
  readonly misuse: number;
  readonly onRequest?: ((request: SendRequest, now: number) => void) | undefined;
}

const misusedResolver = () => Promise.reject(Object.assign(new TypeError('hints'), { code: 'ERR_INVALID_ARG_VALUE' }));
const dnsTimeoutMs = 200;

export function networkOf({ runtime, random, checkers, receivers, misuse, onRequest }: NetworkOptions): Sender {
  const reply = async (
    request: SendRequest,
  ): Promise<ReturnType<Receiver> & { readonly isPlatformFault?: boolean }> => {
    if (random.chance(misuse)) {
      const outcome = await send(request, { resolver: misusedResolver });
      return { afterMs: dnsTimeoutMs, outcome, isPlatformFault: true };
    }
    const receiver = receivers.get(request.url);
    if (!receiver) throw new Error(`No receiver at ${request.url}`);
    return receiver(checkers.requests.countOf(request.headers['X-Webhook-Delivery'] ?? ''), runtime.now, random);
  };
  return async (request) => {
    onRequest?.(request, runtime.now);
    const start = checkers.requests.starts(request);
    const { event, test } = JSON.parse(String(request.body));
    if (event !== 'ping' && !test && !String(request.body).includes(seededContent))
      checkers.findings.report(`a request without its content: ${request.body}`);
    const { afterMs, outcome, errorCode, isPlatformFault = false } = await reply(request);
    const name = `POST ${request.headers['X-Webhook-Delivery']} ${outcome.kind === 'response' ? outcome.status : outcome.errorCode}`;
    return runtime.effect('receiver', name, afterMs, () => {
      checkers.requests.ends(start, outcome, { errorCode, isPlatformFault });
      return outcome;
    });
  };
}
