/** When the next recovery of a webhook may begin, for every end of the previous one (docs/rules.md#recovery). */
import { beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { newId, setRuntime } from '../../../../core/clock.ts';
import { withLease } from '../../../../core/deliveries/model/lease.ts';
import { fail } from '../../../../core/errors.ts';
import { log } from '../../../../core/log.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { testNow, useTestBusiness } from '../../../support/test-business.ts';

useTestBusiness();

const pauseMs = limits.recoveryPauseSeconds * 1_000;
const recoveryMs = limits.recoverySeconds * 1_000;
/** Three seconds more than the recovery and the pause. */
const longestMs = recoveryMs + pauseMs + 3_000;
let at = testNow;
let webhookId = 0;
const recover = <T>(recovery: () => Promise<T>) =>
  withLease('recovery', { tenantId: 1, id: webhookId }, recoveryMs, recovery, pauseMs);
const nothing = async () => 'done';
const leaseKey = () => deliveries.recovery(1, webhookId);
const inProgress = (retryAfter: number) => ({ code: 'recovery_in_progress', extras: { retryAfter } });

beforeEach(() => {
  at = testNow;
  setRuntime({ now: () => at, sleep: async () => {} });
  webhookId = newId();
  vi.spyOn(log, 'warn').mockReturnValue();
});

/** The time from which the next one is allowed; before it the error contains the whole seconds to wait. */
async function expectNextAt(next: number): Promise<void> {
  const left = next - at;
  await expect(recover(nothing)).rejects.toMatchObject(inProgress(Math.ceil(left / 1_000)));
  at = next - 1_500;
  await expect(recover(nothing)).rejects.toMatchObject(inProgress(2));
  at = next - 1;
  await expect(recover(nothing)).rejects.toMatchObject(inProgress(1));
  at = next;
  expect(await recover(nothing)).toBe('done');
}

test.each([
  ['an error', new Error('broken')],
  ['an unavailable DynamoDB', fail('temporarily_unavailable')],
])(
  'After a recovery of failed deliveries was ended by %s, the next recovery may begin after the usual pause',
  async (_, error) => {
    await expect(recover(() => Promise.reject(error))).rejects.toBe(error);
    await expectNextAt(at + pauseMs);
  },
);

/** Begins a recovery. Returns the function that ends it. */
async function begun(): Promise<() => Promise<void>> {
  const [begin, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = recover(() => {
    begin.resolve();
    return end.promise;
  });
  await begin.promise;
  return () => {
    end.resolve();
    return ended;
  };
}

test('An unfinished recovery of failed deliveries blocks other recoveries for a limited time, and its late end does not unblock them during a newer recovery', async () => {
  const endFirst = await begun();
  at += longestMs - 1;
  await expect(recover(nothing)).rejects.toMatchObject(inProgress(1));
  at += 1;
  const endSecond = await begun();
  await endFirst();
  await expect(recover(nothing)).rejects.toMatchObject(inProgress(longestMs / 1_000));
  await endSecond();
  await expectNextAt(at + pauseMs);
});

test('A recovery of failed deliveries returns its result even if the database cannot store that it has ended', async () => {
  expect(
    await recover(async () => {
      await transact([remove('deliveries', leaseKey())]);
      return 'redelivered';
    }),
  ).toBe('redelivered');
  expect(
    await recover(async () => {
      scriptTest([{ fail: () => new Error('no table') }]);
      return 'redelivered';
    }),
  ).toBe('redelivered');
});
