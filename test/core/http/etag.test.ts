import { expect, test } from 'vitest';
import { etagOf, noneMatchNames } from '../../../core/http/response.ts';

const tag = etagOf('{"id":1}');

test('An ETag is strong and changes with every byte of the response', () => {
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  expect(etagOf('{"id":1}')).toBe(tag);
  expect(etagOf('{"id":2}')).not.toBe(tag);
});

test.each([tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*', ' * '])(
  'The header If-None-Match: %s matches the ETag',
  (header) => {
    expect(noneMatchNames(tag, header)).toBe(true);
  },
);

test.each([undefined, '', '"other"', tag.slice(1, -1), '"*"'])(
  'The header If-None-Match: %s does not match the ETag',
  (header) => {
    expect(noneMatchNames(tag, header)).toBe(false);
  },
);
