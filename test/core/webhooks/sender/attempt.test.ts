import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { Attempt } from '../../../../core/webhooks/sender/attempt.ts';

test('an attempt that has ended enters no further stage, so that late work dials nothing', () => {
  const attempt = new Attempt(1_000);
  attempt.enter('connect');
  attempt.end();
  expect(() => attempt.enter('connect')).toThrow('Within 1 seconds the connection was not accepted.');
});

test('every socket ends with its attempt', () => {
  const attempt = new Attempt(1_000);
  const sockets = [attempt.hold(new Socket()), attempt.hold(new Socket())];
  attempt.end();
  expect(sockets.every((socket) => socket.destroyed)).toBe(true);
});

test('the deadline names the stage that it met', async () => {
  const attempt = new Attempt(5);
  attempt.enter('secure');
  await expect(attempt.withinDeadline(new Promise(() => {}))).rejects.toMatchObject({
    errorCode: 'timeout',
    message: 'Within 0.005 seconds the TLS handshake was not completed.',
    platformFault: false,
  });
});

test('an attempt begins with the name of its host, and what ends in time leaves no timer', async () => {
  vi.useFakeTimers();
  const attempt = new Attempt(5);
  expect(attempt.stage).toBe('resolve');
  expect(await attempt.withinDeadline(Promise.resolve('answer'))).toBe('answer');
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
