import { describe, expect, test } from 'vitest';
import { type Api, apis } from '../../lib/apis.ts';
import { refuseTwoNamesOfAPosition, routeId, routeKeyOf } from '../../lib/route-keys.ts';

describe.each(Object.values<Api>(apis))('the routes of $name', ({ prefix, rows, extras }) => {
  const keys = [...rows.map((row) => routeKeyOf(prefix, row)), ...extras.map(({ routeKey }) => routeKey)];

  test('The routes of an API each have an id of their own', () => {
    expect(new Set(keys.map(routeId)).size).toBe(keys.length);
  });

  test('The routes of an API have one name for the variables of one position', () => {
    expect(() => refuseTwoNamesOfAPosition(keys)).not.toThrow();
  });

  test('Negative control: a row that names a variable differently is refused, with both routes', () => {
    const known = keys.find((key) => key.endsWith('/{id}')) ?? '';
    const injected = `${known.replace('{id}', '{injected}')}/more`;
    expect(() => refuseTwoNamesOfAPosition([...keys, injected])).toThrow(
      new RegExp(`it is \\{id\\} in .* and \\{injected\\} in ${injected.replace(/[{}]/g, '\\$&')}\\.`),
    );
  });
});

describe('the id of a route', () => {
  test('The id of a route contains method and path', () => {
    expect(routeId('PATCH /v1/account/clients/{id}')).toBe('PatchV1AccountClientsAny');
    expect(routeId('OPTIONS /v1/integration/{proxy+}')).toBe('OptionsV1IntegrationRest');
    expect(routeId('$default')).toBe('Fallback');
  });

  test('The id of a route stays when a variable is renamed: the account would refuse the new route beside the old one', () => {
    expect(routeId('GET /webhooks/{id}')).toBe(routeId('GET /webhooks/{webhookId}'));
  });
});
