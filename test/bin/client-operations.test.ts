import { expect, test } from 'vitest';
import { type Document, writtenOperations } from '../../bin/generate/client-operations.ts';

const one = (operation: object) =>
  writtenOperations(
    {
      paths: {
        '/things/{id}': { post: { operationId: 'changeThing', responses: {}, ...operation } },
        '/others': { get: { operationId: 'listOthers', responses: {} } },
      },
    } as Document,
    '1.0.0',
  );
const id = { name: 'id', in: 'path', required: true };
const bodyOf = (...names: string[]) => ({
  required: true,
  content: { 'application/json': { schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } } },
});

test('The generator of the client library refuses an operation with a parameter and a body field of the same name', () => {
  expect(() => one({ parameters: [id], requestBody: bodyOf('name', 'id') })).toThrow(
    'the parameter id and the body cannot share one object',
  );
  expect(() => one({ parameters: [{ name: 'q', in: 'query' }], requestBody: bodyOf('name') })).toThrow(
    'the parameter q',
  );
});

test('The generated client library documents every error code, including the codes in nested `allOf` and `oneOf` schemas', () => {
  const code = (value: object) => ({ properties: { code: value } });
  const schema = { allOf: [code({ const: 'a_one' }), { oneOf: [code({ enum: ['b_two', 'c_three'] })] }] };
  const written = one({ responses: { 409: { content: { 'application/json': { schema } } } } });
  expect(written).toContain('@throws {ApiError} `a_one`, `b_two`, `c_three`');
});
