import { beforeAll, describe, expect, test } from 'vitest';
import { accountPrefix, accountRoutes } from '../../contract/account/api.ts';
import { bracedPath, fileName } from '../../contract/integration/api.ts';
import { type Assembly, inside, type Resource, synthesised } from '../support/synthesised.ts';

let assembly: Assembly;
beforeAll(async () => {
  assembly = await synthesised();
});

const ours = (resource: Resource) => resource.stack === 'AccountApi';
const routes = () => assembly.ofType('AWS::ApiGatewayV2::Route').filter(ours);
const one = (type: string, of = assembly) => {
  const [found, ...more] = of.ofType(type).filter(ours);
  expect(more).toEqual([]);
  return found;
};

test('each row, and what no row takes, has one route to a function of its own', () => {
  const expected = accountRoutes.map(({ method, path }) => `${method} ${accountPrefix}${bracedPath(path)}`);
  expect(
    routes()
      .map(({ properties }) => properties.RouteKey)
      .sort(),
  ).toEqual([...expected, '$default'].sort());
  for (const { operation } of accountRoutes) {
    expect(assembly.byName(`booking-dev-account-${fileName(operation)}`), operation).toBeDefined();
  }
});

test('no route answers anyone whose token the authorizer has not checked', () => {
  const authorizer = one('AWS::ApiGatewayV2::Authorizer');
  for (const route of routes()) {
    expect(route.properties.AuthorizationType, String(route.properties.RouteKey)).toBe('JWT');
    expect(assembly.named(route, 'AuthorizerId')).toBe(`AccountApi.${authorizer?.id}`);
  }
  const pool = one('AWS::Cognito::UserPool');
  const client = one('AWS::Cognito::UserPoolClient');
  expect(assembly.refers(authorizer as Resource, inside(authorizer, 'JwtConfiguration', 'Issuer'))).toBe(
    `AccountApi.${pool?.id}.ProviderURL`,
  );
  expect(assembly.refers(authorizer as Resource, inside(authorizer, 'JwtConfiguration', 'Audience'))).toBe(
    `AccountApi.${client?.id}`,
  );
});

test('an owner cannot choose the tenant: the claim is set once, by the operator', () => {
  const pool = one('AWS::Cognito::UserPool');
  expect(inside(pool, 'AdminCreateUserConfig', 'AllowAdminCreateUserOnly')).toBe(true);
  expect(inside(pool, 'Schema')).toContainEqual(expect.objectContaining({ Name: 'tenantId', Mutable: false }));
  const client = one('AWS::Cognito::UserPoolClient');
  expect(inside(client, 'WriteAttributes')).not.toContain('custom:businessId');
  expect(inside(client, 'ReadAttributes')).toContain('custom:businessId');
});

test('a stolen token moves no sign-in to another address for good, and a refresh token is used once', () => {
  const pool = one('AWS::Cognito::UserPool');
  expect(inside(pool, 'UserAttributeUpdateSettings', 'AttributesRequireVerificationBeforeUpdate')).toEqual(['email']);
  const client = one('AWS::Cognito::UserPoolClient');
  expect(inside(client, 'RefreshTokenRotation', 'Feature')).toBe('ENABLED');
  // Cognito refuses a client with both.
  expect(inside(client, 'ExplicitAuthFlows')).not.toContain('ALLOW_REFRESH_TOKEN_AUTH');
});

test('owners sign in by code on managed pages, and come back to the console alone', () => {
  const client = one('AWS::Cognito::UserPoolClient');
  expect(inside(client, 'AllowedOAuthFlows')).toEqual(['code']);
  expect(inside(client, 'AllowedOAuthScopes')).toEqual(['openid', 'email', 'profile']);
  expect(inside(client, 'CallbackURLs')).toEqual(['http://localhost:8787/signed-in']);
  expect(inside(client, 'LogoutURLs')).toEqual(['http://localhost:8787/']);
  // A browser keeps no secret.
  expect(client?.properties).not.toHaveProperty('GenerateSecret');
  expect(inside(one('AWS::Cognito::UserPoolDomain'), 'ManagedLoginVersion')).toBe(2);
  expect(inside(one('AWS::Cognito::ManagedLoginBranding'), 'UseCognitoProvidedValues')).toBe(true);
});

test('the user pool outlives its stack', () => {
  expect(one('AWS::Cognito::UserPool')?.deletionPolicy).toBe('Retain');
});

const synth = (context: Readonly<Record<string, string>>) => synthesised('dev', context);

describe('the console', () => {
  test('may be at addresses that the operator gives', async () => {
    const given = await synth({ consoleOrigins: 'https://console.example.com,http://localhost:5173' });
    const client = one('AWS::Cognito::UserPoolClient', given);
    const [first, second] = ['https://console.example.com', 'http://localhost:5173'];
    expect(inside(client, 'CallbackURLs')).toEqual([`${first}/signed-in`, `${second}/signed-in`]);
    expect(inside(client, 'LogoutURLs')).toEqual([`${first}/`, `${second}/`]);
  });

  test.each(['http://console.example.com', 'https://console.example.com/', 'console.example.com', '*'])(
    'is at %s: refused',
    async (consoleOrigins) => {
      await expect(synth({ consoleOrigins })).rejects.toThrow('-c consoleOrigins has not its form');
    },
  );
});

describe('an issuer of one’s own', () => {
  test('takes the place of the user pool', async () => {
    const given = await synth({ ownerIssuer: 'https://issuer.example', ownerAudience: 'booking' });
    expect(one('AWS::Cognito::UserPool', given)).toBeUndefined();
    expect(inside(one('AWS::ApiGatewayV2::Authorizer', given), 'JwtConfiguration')).toEqual({
      Issuer: 'https://issuer.example',
      Audience: ['booking'],
    });
  });

  test.each([
    [{ ownerIssuer: 'https://issuer.example' }],
    [{ ownerAudience: 'booking' }],
    [{ ownerIssuer: 'http://issuer.example', ownerAudience: 'booking' }],
  ])('is given whole, or the synth stops: %j', async (context) => {
    await expect(synth(context as Record<string, string>)).rejects.toThrow(
      'Give -c ownerIssuer=… and -c ownerAudience=…, or none',
    );
  });
});
