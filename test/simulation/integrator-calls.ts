/** Calls of integrators, each in its own invocation, as by the gateway. */

import * as routes from '../../contract/integration/routes.ts';
import { ApiError } from '../../core/errors.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { keyPrincipal, type TestKey } from '../support/principals.ts';
import type { Answer, RequestedCall } from './checkers/calls.ts';
import type { Checkers } from './checkers/checkers.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

/** The stack's default timeout of a row. */
const timeoutSecondsDefault = 10;

const timeouts = {
  ping: routes.pingWebhook.timeoutSeconds,
  recover: routes.recoverWebhook.timeoutSeconds,
  redeliver: timeoutSecondsDefault,
} as const satisfies Record<RequestedCall['verb'], number>;

type Act = (key: TestKey) => Promise<unknown>;

export class IntegratorCalls {
  readonly #runtime: SimulatedRuntime;
  readonly #checkers: Checkers;

  constructor({ runtime, checkers }: { readonly runtime: SimulatedRuntime; readonly checkers: Checkers }) {
    this.#runtime = runtime;
    this.#checkers = checkers;
  }

  /** A call that the checkers check. Keys that are not active are refused before any verb. */
  ask(item: WebhookItem, requested: RequestedCall, act: Act, onBroken = () => {}): void {
    const { calls, webhooks } = this.#checkers;
    if (!webhooks.key(item.keyId).live) return;
    this.#runtime.invoke<Answer>(
      requested.verb,
      timeouts[requested.verb] * 1_000,
      (_, invocation) => {
        calls.begins(invocation, requested);
        return answerOf(act(keyOf(item)));
      },
      (answer = { kind: 'broken' }, invocation) => {
        calls.ends(invocation, answer);
        if (answer.kind === 'broken') onBroken();
      },
    );
  }

  /** Any other call. */
  act(item: WebhookItem, act: Act): void {
    const run = async () => {
      await act(keyOf(item));
      return 'done';
    };
    this.#runtime.invoke('integrator', timeoutSecondsDefault * 1_000, run, () => {});
  }
}

function keyOf({ keyId, tenantId }: WebhookItem): TestKey {
  return keyPrincipal(tenantId, keyId);
}

async function answerOf(answering: Promise<unknown>): Promise<Answer> {
  try {
    return { kind: 'answered', body: await answering };
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500;
    return isRefusal ? { kind: 'refused', status: error.status } : { kind: 'broken' };
  }
}
