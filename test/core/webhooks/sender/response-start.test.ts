/** What is kept of an answer's body: its beginning, whatever the receiver makes of the rest. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { responseStart } from '../../../../core/webhooks/sender/response-start.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const kept = limits.responseKeptBytes;
/** The first of two bytes. */
const begun = Uint8Array.of(0xc3);

/** A body that arrives in these parts and then ends, stops, breaks or closes. No timer outlives it. */
async function startOf(
  parts: readonly (string | Uint8Array)[],
  then: 'ends' | 'stops' | 'breaks' | 'closes' = 'ends',
  headers: object = {},
): Promise<string> {
  const response = Object.assign(new PassThrough(), { headers });
  const started = responseStart(response as unknown as IncomingMessage, 50);
  for (const part of parts) {
    response.write(part);
    await new Promise((resolve) => process.nextTick(resolve));
  }
  if (then === 'ends') response.end();
  if (then === 'breaks') response.emit('error', new Error('reset'));
  if (then === 'closes') response.emit('close');
  if (then === 'stops') await vi.advanceTimersByTimeAsync(50);
  const text = await started;
  expect(vi.getTimerCount()).toBe(0);
  return text;
}

test('a short body is kept whole, and what its end cuts in two shows as such', async () => {
  expect(await startOf(['fi', 'ne'])).toBe('fine');
  expect(await startOf(['a'.repeat(kept - 1), begun])).toBe(`${'a'.repeat(kept - 1)}\ufffd`);
});

test('of a long body the beginning is kept, without half a character', async () => {
  expect(await startOf(['a'.repeat(kept - 1), 'é'])).toBe('a'.repeat(kept - 1));
  expect(await startOf(['a'.repeat(kept + 50), 'b'.repeat(100)])).toBe('a'.repeat(kept));
});

test.each(['stops', 'breaks', 'closes'] as const)('of a body that %s is kept what had arrived', async (then) => {
  expect(await startOf(['fine', begun], then)).toBe('fine');
});

test('no more is read than is allowed', async () => {
  const parts = ['a'.repeat(limits.responseReadBytes - 1), 'a'];
  const response = Object.assign(new PassThrough(), { headers: {} });
  let isOver = false;
  const started = responseStart(response as unknown as IncomingMessage, 50).then(() => {
    isOver = true;
  });
  const overAfter: boolean[] = [];
  for (const part of parts) {
    response.emit('data', Buffer.from(part));
    await new Promise((resolve) => process.nextTick(resolve));
    await Promise.resolve();
    overAfter.push(isOver);
  }
  expect(overAfter).toEqual([false, true]);
  await started;
});

test.each([
  ['gzip', ''],
  ['identity', 'plain'],
  ['Identity', 'plain'],
])('of a body with the encoding %s is kept "%s"', async (encoding, text) => {
  expect(await startOf(['plain'], 'ends', { 'content-encoding': encoding })).toBe(text);
});
