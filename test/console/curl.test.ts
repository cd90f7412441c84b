/** A delivery as a curl command. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlOf } from '../../console/src/screens/deliveries/curl.ts';

/** The arguments that a shell passes to curl, one after the other. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

test('The curl command that the console copies for a message sends exactly that message when pasted into a shell', () => {
  const text = fc.string({ unit: fc.constantFrom(...`aZ9 '"$\`\\;&|\n{}:é`) });
  fc.assert(
    fc.property(text, text, text, (url, header, body) => {
      expect(argumentsOf(curlOf(url, { headers: { 'webhook-id': header }, body }))).toEqual([
        ...['-X', 'POST', url],
        ...['-H', `webhook-id: ${header}`],
        ...['--data-raw', body],
      ]);
    }),
    { numRuns: 40 },
  );
});
