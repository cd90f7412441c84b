/**
 * The integration API behind CloudFront: an address that floods the API can be blocked, and no request bypasses
 * CloudFront.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edgeSecretHeader } from '../../contract/headers.ts';
import { type Assembly, inside, type Json, synthesised } from '../support/synthesised.ts';

const apiDomain = 'api.example.com';
const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/1';
const apiEdgeCertificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/2';
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/booking/1';

const settings = { apiDomain, certificateArn, apiEdgeCertificateArn, webAclArn };
const fronted = await synthesised('dev', settings);

const front = fronted
  .ofType('AWS::CloudFront::Distribution')
  .find((one) => 'Aliases' in inside<object>(one, 'DistributionConfig'));
const config = <T = Json>(name: string) => inside<T>(front, 'DistributionConfig', name);

test('CloudFront accepts requests to the host name of the API, applies the web ACL, and passes requests on unchanged', () => {
  expect(config('Aliases')).toEqual([apiDomain]);
  expect(config('WebACLId')).toBe(webAclArn);
  expect(config('DefaultCacheBehavior')).toMatchObject({
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    // The policy forwards the whole request, including its host, by which the gateway identifies the API.
    OriginRequestPolicyId: '216adef6-5c7f-47e4-b989-5492eafa07d3',
    ViewerProtocolPolicy: 'https-only',
  });
  for (const error of config<{ ErrorCachingMinTTL: number }[]>('CustomErrorResponses')) {
    expect(error.ErrorCachingMinTTL).toBe(0);
  }
  expect(config('ViewerCertificate')).toMatchObject({ AcmCertificateArn: apiEdgeCertificateArn });
});

test("Behind CloudFront, the gateway of the API has no public address, and the functions of the API require CloudFront's secret", () => {
  const closed = fronted
    .ofType('AWS::ApiGatewayV2::Api')
    .map((api) => [api.stack, inside<Json[]>(api, 'Body', 'servers')]);
  const server = (disableExecuteApiEndpoint: boolean) => [
    { url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint } },
  ];
  expect(Object.fromEntries(closed)).toEqual({ IntegrationApi: server(true), AccountApi: server(false) });
  const [origin] = config<{ OriginCustomHeaders: { HeaderName: string; HeaderValue: Json }[] }[]>('Origins');
  const [header, ...more] = origin?.OriginCustomHeaders ?? [];
  expect([header?.HeaderName, more]).toEqual([edgeSecretHeader, []]);
  const sent = fronted.text('Edge', header?.HeaderValue);
  expect(sent).toMatch(/^\{\{resolve:secretsmanager:IntegrationApi\.EdgeSecret\w+:SecretString:::\}\}$/);
  for (const { id, stack, properties } of fronted.functions) {
    const { EDGE_SECRET } = (properties.Environment as { Variables: Record<string, Json> }).Variables;
    expect(fronted.text(stack, EDGE_SECRET), id).toBe(stack === 'IntegrationApi' ? sent : '');
  }
});

test('An operator can put CloudFront in front of a running API while integrators still call API Gateway directly', async () => {
  const open = await synthesised('dev', { ...settings, apiDirect: 'allowed' });
  for (const api of open.ofType('AWS::ApiGatewayV2::Api')) {
    expect(inside<object[]>(api, 'Body', 'servers'), api.stack).toEqual([
      expect.objectContaining({ 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: false } }),
    ]);
  }
  for (const { id, properties } of open.functions) {
    const { Variables } = properties.Environment as { Variables: Record<string, Json> };
    expect(Variables, id).not.toHaveProperty('EDGE_SECRET');
  }
  // Closing the gateway changes no distribution.
  const edgeOf = ({ folder }: Assembly) =>
    JSON.parse(readFileSync(join(folder, 'Edge.template.json'), 'utf8')).Resources;
  expect(edgeOf(open)).toEqual(edgeOf(fronted));
});

test('The secret that CloudFront sends to the API is in no output, and in no template as plain text', () => {
  for (const { templateFullPath } of fronted.stacks) {
    const { Outputs = {} } = JSON.parse(readFileSync(templateFullPath, 'utf8')) as { Outputs?: object };
    expect(JSON.stringify(Outputs)).not.toContain('resolve:secretsmanager');
  }
  const [secret] = fronted.ofType('AWS::SecretsManager::Secret');
  expect(inside(secret, 'GenerateSecretString')).toMatchObject({ PasswordLength: 48 });
  expect(secret?.properties).not.toHaveProperty('SecretString');
});

test('The web ACL of the API is in us-east-1 and limits the request rate of each IP address', () => {
  expect(fronted.artifacts.Firewall?.environment).toBe('aws://unknown-account/us-east-1');
  const [acl] = fronted.ofType('AWS::WAFv2::WebACL');
  expect(inside(acl, 'Scope')).toBe('CLOUDFRONT');
  const [rate, reputation] = inside<{ Action?: object; Statement: object }[]>(acl, 'Rules');
  expect(rate).toMatchObject({
    Action: { Block: {} },
    Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300 } },
  });
  expect(reputation?.Statement).toEqual({
    ManagedRuleGroupStatement: { VendorName: 'AWS', Name: 'AWSManagedRulesAmazonIpReputationList' },
  });
});

test('A stage without a certificate for CloudFront has no web ACL, and API Gateway is called directly without a secret', async () => {
  const plain = await synthesised('dev', { apiDomain, certificateArn });
  expect(plain.ofType('AWS::WAFv2::WebACL')).toEqual([]);
  expect(plain.ofType('AWS::SecretsManager::Secret')).toEqual([]);
  expect(plain.ofType('AWS::CloudFront::Distribution')).toHaveLength(1);
  expect(JSON.stringify(plain.resources)).not.toContain('EDGE_SECRET');
});
