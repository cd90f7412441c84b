import { expect, test } from 'vitest';
import { accountPrefix, accountRoutes } from '../../contract/account/api.ts';
import { bracedPath } from '../../contract/integration/api.ts';
import {
  type Assembly,
  inside,
  type Json,
  type Properties,
  type Resource,
  synthesised,
  synthesisedAs,
} from '../support/synthesised.ts';
import { otherIssuer, variants } from '../support/variants.ts';

const assembly = await synthesised();

const routes = assembly.routes.filter(({ stack }) => stack === 'AccountApi');
/** The only resource of a type in the stack of the API, or undefined. */
const one = (type: string, of = assembly) => {
  const [found, ...more] = of.ofType(type).filter(({ stack }) => stack === 'AccountApi');
  expect(more).toEqual([]);
  return found;
};
const poolOf = (of: Assembly) => one('AWS::Cognito::UserPool', of);
const clientOf = (of: Assembly) => one('AWS::Cognito::UserPoolClient', of);
const [pool, client] = [poolOf(assembly), clientOf(assembly)];
/** The issuer and audience of tokens in the only authorizer of the gateway. */
const authorizerOf = (of: Assembly) => {
  const api = one('AWS::ApiGatewayV2::Api', of) as Resource;
  const schemes = inside<Record<string, Json>>(api, 'Body', 'components', 'securitySchemes');
  expect(Object.keys(schemes)).toEqual(['OwnerToken']);
  const { type, jwtConfiguration } = (schemes.OwnerToken as Properties)['x-amazon-apigateway-authorizer'] as Properties;
  expect(type).toBe('jwt');
  const { issuer, audience } = jwtConfiguration as Properties;
  return { issuer: of.refers(api, issuer), audience: of.refers(api, audience) };
};

test('The account API has one route for each endpoint and one for unknown paths', () => {
  const expected = accountRoutes.map(({ method, path }) => `${method} ${accountPrefix}${bracedPath(path)}`);
  expect(routes.map(({ key }) => key).sort()).toEqual([...expected, '$default'].sort());
});

test('Every route of the account API requires a token that the JWT authorizer of API Gateway has checked', () => {
  for (const { key, schemes } of routes) expect(schemes, key).toEqual(['OwnerToken']);
  expect(authorizerOf(assembly)).toEqual({
    issuer: `AccountApi.${pool?.id}.ProviderURL`,
    audience: `AccountApi.${client?.id}`,
  });
});

test("Only an operator can set the business in an owner's token; the owner cannot change this claim", () => {
  expect(inside(pool, 'AdminCreateUserConfig', 'AllowAdminCreateUserOnly')).toBe(true);
  expect(inside(pool, 'Schema')).toContainEqual(expect.objectContaining({ Name: 'businessId', Mutable: false }));
  expect(inside(client, 'WriteAttributes')).not.toContain('custom:businessId');
  expect(inside(client, 'ReadAttributes')).toContain('custom:businessId');
});

test('Cognito uses a new email address of an owner only after its verification, and rotates refresh tokens', () => {
  expect(inside(pool, 'UserAttributeUpdateSettings', 'AttributesRequireVerificationBeforeUpdate')).toEqual(['email']);
  expect(inside(client, 'RefreshTokenRotation', 'Feature')).toBe('ENABLED');
  // Cognito refuses a client with both.
  expect(inside(client, 'ExplicitAuthFlows')).not.toContain('ALLOW_REFRESH_TOKEN_AUTH');
});

test('Owners sign in with an authorization code on the login pages of Cognito, which redirect only to the console', () => {
  expect(inside(client, 'AllowedOAuthFlows')).toEqual(['code']);
  expect(inside(client, 'AllowedOAuthScopes')).toEqual(['openid', 'email', 'profile']);
  expect(inside(client, 'CallbackURLs')).toEqual(['http://localhost:8787/signed-in']);
  expect(inside(client, 'LogoutURLs')).toEqual(['http://localhost:8787/']);
  // A browser cannot keep a secret.
  expect(client?.properties).not.toHaveProperty('GenerateSecret');
  expect(inside(one('AWS::Cognito::UserPoolDomain'), 'ManagedLoginVersion')).toBe(2);
  expect(inside(one('AWS::Cognito::ManagedLoginBranding'), 'UseCognitoProvidedValues')).toBe(true);
});

test('The user pool of the owners is kept when its stack is deleted', () => {
  expect(pool?.deletionPolicy).toBe('Retain');
});

test('Owners can sign in to the console at the addresses that the operator configures', async () => {
  const client = clientOf(await synthesisedAs(variants['all settings']));
  const [first, second] = ['https://console.example.com', 'http://localhost:5173'];
  expect(inside(client, 'CallbackURLs')).toEqual([`${first}/signed-in`, `${second}/signed-in`]);
  expect(inside(client, 'LogoutURLs')).toEqual([`${first}/`, `${second}/`]);
});

test('On the stage prod, owners cannot sign in to a console that runs on their own machine', async () => {
  const client = clientOf(await synthesised('prod'));
  expect(inside(client, 'CallbackURLs')).toEqual(['https://console.invalid/signed-in']);
  expect(JSON.stringify(client?.properties)).not.toContain('localhost');
});

test("The stage prod has Cognito's threat protection for sign-ins, and other stages do not pay for it", async () => {
  const protectedPool = poolOf(await synthesised('prod'));
  expect(protectedPool?.properties).toMatchObject({ UserPoolTier: 'PLUS', UserPoolAddOns: expect.anything() });
  for (const stage of ['dev', 'pr-42']) {
    const pool = poolOf(await synthesised(stage));
    expect(pool?.properties).toMatchObject({ UserPoolTier: 'ESSENTIALS', MfaConfiguration: 'ON' });
    expect(pool?.properties).not.toHaveProperty('UserPoolAddOns');
  }
});

test('A stage can use an existing Cognito user pool, with managed login pages that the content security policy allows', async () => {
  const { ownerPool } = variants['all settings'].context;
  const given = await synthesisedAs(variants['all settings']);
  expect(poolOf(given)).toBeUndefined();
  const client = clientOf(given);
  expect(client?.properties).toMatchObject({ UserPoolId: ownerPool, AllowedOAuthFlows: ['code'] });
  const [domain, branding] = ['UserPoolDomain', 'ManagedLoginBranding'].map((type) =>
    one(`AWS::Cognito::${type}`, given),
  );
  expect(domain?.properties).toMatchObject({ UserPoolId: ownerPool, ManagedLoginVersion: 2 });
  expect(branding?.properties.UserPoolId).toBe(ownerPool);
  expect(branding && given.named(branding, 'ClientId')).toBe(`AccountApi.${client?.id}`);
  expect(authorizerOf(given)).toEqual({
    issuer: `https://cognito-idp.<AWS::Region>.<AWS::URLSuffix>/${ownerPool}`,
    audience: `AccountApi.${client?.id}`,
  });
  const policies = JSON.stringify(given.ofType('AWS::CloudFront::ResponseHeadersPolicy'));
  expect(policies).toContain('amazoncognito.com');
});

test("With an operator's own token issuer, the API accepts its tokens, and the console may call the issuer's origins", async () => {
  const given = await synthesised('dev', otherIssuer);
  expect(authorizerOf(given)).toEqual({ issuer: 'https://issuer.example', audience: 'booking' });
  const policies = JSON.stringify(given.ofType('AWS::CloudFront::ResponseHeadersPolicy'));
  expect(policies).toContain("connect-src 'self' https://issuer.example https://login.example https://token.example;");
});
