import { expect, test } from 'vitest';
import { etagOf, noneMatchNames } from '../../../core/http/response.ts';

const tag = etagOf('{"id":1}');

test('a tag is strong, and stands for exactly these bytes', () => {
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  expect(etagOf('{"id":1}')).toBe(tag);
  expect(etagOf('{"id":2}')).not.toBe(tag);
});

test.each([tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*', ' * '])('%s names it', (header) => {
  expect(noneMatchNames(tag, header)).toBe(true);
});

test.each([undefined, '', '"other"', tag.slice(1, -1), '"*"'])('%s does not name it', (header) => {
  expect(noneMatchNames(tag, header)).toBe(false);
});
