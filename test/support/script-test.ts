/** Runs a script for the rest of one test. */
import { onTestFinished } from 'vitest';
import { type Row, type Script, type ScriptOptions, scriptDynamo } from './scripted-dynamo.ts';

/** Calls `scriptDynamo` until the test ends. It can be called in `beforeEach`. */
export function scriptTest(rows: readonly Row[] = [], options: ScriptOptions = {}): Script {
  const script = scriptDynamo(rows, options);
  onTestFinished(script.end);
  return script;
}
