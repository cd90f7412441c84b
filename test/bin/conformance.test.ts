/** `npm run prove -- conformance`, with the deployed bundles. */
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';

test('The MCP server passes the official conformance suite, except for scenarios that are listed as not applicable', async () => {
  const { code, stdout, stderr } = await command('bin/prove/conformance.ts', []).ended;
  expect(code, stdout + stderr).toBe(0);
  const [ran, leftOut = ''] = stdout.split('Not applicable:');
  const names = (text: string | undefined, pattern: RegExp) =>
    [...(text ?? '').matchAll(pattern)].map(([, name]) => name);
  const wanted = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
  expect(names(ran, /client scenario '([^']+)'/g)).toEqual(wanted);
  expect(names(leftOut, /^ {2}(\S+): /gm)).toHaveLength(28);
  // Negative control: a scenario that the server does not support fails.
  const both = ['--scenario', 'prompts-list', '--scenario', 'ping'];
  const refused = await command('bin/prove/conformance.ts', both).ended;
  expect(refused.code, refused.stdout).toBe(1);
  // The scenario after a failed one is also awaited.
  const [ranDespiteFailure] = refused.stdout.split('Not applicable:');
  expect(names(ranDespiteFailure, /client scenario '([^']+)'/g)).toEqual(['prompts-list', 'ping']);
});
