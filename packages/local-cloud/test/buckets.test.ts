/** What a file of a bucket is sent as. */
import { expect, test } from 'vitest';
import { stored } from '../src/buckets.ts';

const file = Buffer.from('ā');

test.each([
  ['index.html', 'text/html'],
  ['docs/guide.md', 'text/markdown'],
  ['docs/client.tgz', 'application/x-tar'],
  ['docs/server.ts', 'binary/octet-stream'],
  ['docs/server.go', 'binary/octet-stream'],
  ['no-ending', 'binary/octet-stream'],
])('A local deployment stores the file %s with the content type %s, which the AWS CLI guesses', (key, type) => {
  expect(stored(key, file).type).toBe(type);
});

test('A local deployment stores a file with the content type and the `Cache-Control` that its template sets', () => {
  const given = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };
  expect(stored('docs/server.go', file, given)).toMatchObject({
    type: 'text/plain; charset=utf-8',
    cacheControl: 'no-cache',
  });
});
