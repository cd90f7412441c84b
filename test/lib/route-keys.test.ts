import { describe, expect, test } from 'vitest';
import { type Api, apis } from '../../lib/apis.ts';
import { refuseTwoNamesOfAPosition, routeId, routeKeyOf } from '../../lib/route-keys.ts';

describe.each(Object.values<Api>(apis))('the routes of $name', ({ prefix, rows, extras }) => {
  const keys = [...rows.map((row) => routeKeyOf(prefix, row)), ...extras.map(({ routeKey }) => routeKey)];

  test('The routes of an API have distinct ids', () => {
    expect(new Set(keys.map(routeId)).size).toBe(keys.length);
  });

  test('Variables at the same position of a path have the same name in all routes of an API', () => {
    expect(() => refuseTwoNamesOfAPosition(keys)).not.toThrow();
  });

  test('Negative control: a route that names a path variable differently is refused', () => {
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

  test('The id of a route stays when a path variable is renamed', () => {
    expect(routeId('GET /webhooks/{id}')).toBe(routeId('GET /webhooks/{webhookId}'));
  });
});
