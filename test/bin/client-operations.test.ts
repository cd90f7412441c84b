import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Document, writtenOperations } from '../../bin/generate/client-operations.ts';

const openApi = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(openApi) as Document;

const one = (operation: object, path = '/things/{id}', method = 'post') =>
  writtenOperations(
    {
      paths: {
        [path]: { [method]: { operationId: 'changeThing', responses: {}, ...operation } },
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

test('Every operation of the OpenAPI document becomes a method of the client', () => {
  const written = writtenOperations(document, '1.0.0');
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.length).toBeGreaterThan(20);
  for (const name of ids) {
    expect(written).toMatch(new RegExp(`^  ${name}: \\{ method: `, 'm'));
    expect(written).toMatch(new RegExp(`^  ${name}\\(`, 'm'));
  }
});

test('The generated operations of the client have the parameters of the OpenAPI document', () => {
  const key = { name: 'Idempotency-Key', in: 'header' };
  expect(one({ parameters: [id, key], requestBody: bodyOf('name') })).toContain(
    `changeThing: { method: 'POST', path: '/things/{id}', body: true, keyed: true }`,
  );
  expect(one({ parameters: [{ name: 'cursor', in: 'query' }] }, '/things', 'get')).toContain(
    `changeThing: { method: 'GET', path: '/things', pages: 'cursor' }`,
  );
  expect(one({ parameters: [{ name: 'page', in: 'query' }] }, '/things', 'get')).toContain(`pages: 'page'`);
  expect(one({}, '/things', 'get')).toContain(`changeThing: { method: 'GET', path: '/things', bare: true }`);
});

test('The client generator refuses an operation if a field could belong to a parameter or to the body', () => {
  expect(() => one({ parameters: [id], requestBody: bodyOf('name', 'id') })).toThrow(
    'the parameter id and the body cannot share one object',
  );
  expect(() => one({ parameters: [{ name: 'q', in: 'query' }], requestBody: bodyOf('name') })).toThrow(
    'the parameter q',
  );
});

test('The generated client documents the error codes of all responses of an operation, however their schemas are composed', () => {
  const code = (value: object) => ({ properties: { code: value } });
  const schema = { allOf: [code({ const: 'a_one' }), { oneOf: [code({ enum: ['b_two', 'c_three'] })] }] };
  const written = one({ responses: { 409: { content: { 'application/json': { schema } } } } });
  expect(written).toContain('@throws {ApiError} `a_one`, `b_two`, `c_three`');
});
