import { expect, onTestFinished, test } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { beginErasure } from '../../../core/erasure/message.ts';
import { intercept, queueAndBusEnvironment } from '../../support/queue-and-bus.ts';

test.each([0, 2])(
  'A request to erase a client gets 503 and can be repeated when only %i of the three queue messages could be sent',
  async (taken) => {
    Object.assign(process.env, queueAndBusEnvironment);
    setRuntime({ sleep: async () => undefined });
    onTestFinished(() => setRuntime());
    const sent: unknown[] = [];
    onTestFinished(
      intercept({
        toBus: async () => ({}),
        toQueue: async () => ({}),
        toErasures: async (entries) => {
          const some = entries.slice(0, Math.max(0, taken - sent.length));
          sent.push(...some);
          const Failed = entries.slice(some.length).map(({ Id = '' }) => ({ Id, Code: 'Down', SenderFault: false }));
          return { Successful: some.map(({ Id }) => ({ Id })), Failed } as never;
        },
      }),
    );
    await expect(beginErasure({ tenantId: 7, clientId: 8 })).rejects.toMatchObject({
      ...{ code: 'temporarily_unavailable', extras: { retryAfter: 1 } },
    });
  },
);
