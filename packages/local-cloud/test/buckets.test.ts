/** The files that deployments store in a bucket. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createBuckets, stored } from '../src/buckets.ts';
import { buildModel } from '../src/model.ts';
import { resourceKinds } from '../src/resource-kinds.ts';
import type { Resource, Template } from '../src/templates.ts';

const file = Buffer.from('ā');

test.each([
  ['index.html', 'text/html'],
  ['docs/guide.md', 'text/markdown'],
  ['docs/client.tgz', 'application/x-tar'],
  ['docs/photo.jpg', 'image/jpeg'],
  ['docs/server.ts', 'binary/octet-stream'],
  ['docs/server.go', 'binary/octet-stream'],
  ['no-ending', 'binary/octet-stream'],
])('A local S3 bucket stores the file %s with the content type %s that the AWS CLI would guess', (key, type) => {
  expect(stored(key, file).type).toBe(type);
});

test('A local S3 bucket stores a file with the content type and the `Cache-Control` that the template sets', () => {
  const given = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };
  expect(stored('docs/server.go', file, given)).toMatchObject({
    type: 'text/plain; charset=utf-8',
    cacheControl: 'no-cache',
  });
});

test('A local run does not start if one S3 bucket deployment would delete the files of another bucket deployment', async () => {
  const folder = dirname(fileURLToPath(import.meta.url));
  const start = (more: object) => {
    const deployment: Resource = {
      Type: 'Custom::CDKBucketDeployment',
      Properties: {
        ServiceToken: 'arn:aws:lambda:us-east-1:123456789012:function:deploy',
        SourceObjectKeys: ['files'],
        DestinationBucketName: { Ref: 'Pages' },
        ...more,
      },
    };
    const resources = { Pages: { Type: 'AWS::S3::Bucket', Properties: {} }, First: deployment, Second: deployment };
    const template = { stackName: 'edge', resources, outputs: {}, parameters: {}, conditions: {}, mappings: {} };
    const all = [{ ...template, assets: new Map([['files', folder]]) } as Template];
    return createBuckets(buildModel(all, resourceKinds, { awsEndpoint: '', baseUrl: '' }));
  };
  await expect(start({})).rejects.toThrow('The deployment Second would delete the files of another one');
  expect((await start({ Prune: false })).get('edge-Pages')?.has('buckets.test.ts')).toBe(true);
});
