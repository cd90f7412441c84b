/** Changes and commands that end with the test. */
import { onTestFinished } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { command, type RunningCommand } from './command.ts';

/** Changes fields of an object, such as injected bugs, until the test ends. */
export function duringTest<T extends object>(one: T, changes: Partial<T>): void {
  const before = { ...one };
  onTestFinished(() => void Object.assign(one, before));
  Object.assign(one, changes);
}

/** Reduces limits so that a test can reach them. */
export function limitsDuringTest(changes: Partial<Record<keyof typeof limits, number>>): void {
  duringTest<object>(limits, changes);
}

/** Runs a command, and kills it when the test ends. */
export function commandDuringTest(...call: Parameters<typeof command>): RunningCommand {
  const running = command(...call);
  onTestFinished(async () => {
    running.process.kill('SIGKILL');
    await running.ended;
  });
  return running;
}
