/** Buckets with the files that the templates deploy. Only distributions read them: functions have no S3 here. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import * as z from 'zod/mini';
import { localAccount, localRegion } from './arn.ts';
import { glob } from './iam.ts';
import { flag, ignored, ignoredKind, type Kind, type TemplateResource } from './kind.ts';
import type { Model } from './model.ts';

const bucket = {
  type: 'AWS::S3::Bucket',
  nameProperty: 'BucketName',
  attribute: (attribute, name) =>
    ({ Arn: `arn:aws:s3:::${name}`, RegionalDomainName: `${name}.s3.${localRegion}.amazonaws.com` })[attribute],
  properties: z.strictObject({
    BucketName: z.optional(z.string()),
    BucketEncryption: ignored,
    PublicAccessBlockConfiguration: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

/** The CDK's resource that extracts assets into a bucket and replaces their placeholders by deployed values. */
const deployment = {
  type: 'Custom::CDKBucketDeployment',
  properties: z.strictObject({
    ServiceToken: z.string(),
    SourceBucketNames: ignored,
    SourceObjectKeys: z.array(z.string()),
    SourceMarkers: z._default(z.array(z.record(z.string(), z.string())), []),
    SourceMarkersConfig: z._default(z.array(z.strictObject({ jsonEscape: z.optional(flag) })), []),
    DestinationBucketName: z.string(),
    Prune: z._default(flag, true),
    // The patterns work as in `aws s3 sync`: Exclude leaves out files, and Include adds them again.
    Exclude: z._default(z.array(z.string()), []),
    Include: z._default(z.array(z.string()), []),
    SystemMetadata: z._default(
      z.strictObject({ 'cache-control': z.optional(z.string()), 'content-type': z.optional(z.string()) }),
      {},
    ),
    RetainOnDelete: ignored,
    DistributionId: ignored,
    DistributionPaths: ignored,
    WaitForDistributionInvalidation: ignored,
    OutputObjectKeys: ignored,
  }),
} satisfies Kind;

/** The CDK's resource that empties a bucket before it is deleted. Here a bucket is empty at each start. */
const emptying = {
  type: 'Custom::S3AutoDeleteObjects',
  properties: z.strictObject({ ServiceToken: z.string(), BucketName: z.string() }),
} satisfies Kind;

export const bucketKinds: readonly Kind[] = [bucket, deployment, emptying, ignoredKind('AWS::Lambda::LayerVersion')];

export interface StoredFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly cacheControl: string | undefined;
}

/** Files by key: `docs/index.html`. */
export type Files = Map<string, StoredFile>;

/** Files by bucket name. */
export type Buckets = ReadonlyMap<string, Files>;

/**
 * The content types that the CDK's deployment sets, which are those of `aws s3 sync` with the types of Python: no type
 * has a charset, and an unknown extension is a binary file.
 */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.py': 'text/x-python',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/x-tar',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'text/xml',
};
const binary = 'binary/octet-stream';

/** Metadata that the deployment sets on all its files. */
interface Metadata {
  readonly 'cache-control'?: string | undefined;
  readonly 'content-type'?: string | undefined;
}

export function stored(key: string, body: Buffer, given: Metadata = {}): StoredFile {
  const type = given['content-type'] ?? types[extname(key)] ?? binary;
  return {
    type,
    body,
    etag: `"${createHash('md5').update(body).digest('hex')}"`,
    cacheControl: given['cache-control'],
  };
}

/** Returns the ARNs of the functions that fill and empty buckets. They belong to the deployment and do not run here. */
export function deployers(model: Model): ReadonlySet<string> {
  return new Set([...model.all(deployment), ...model.all(emptying)].map(({ properties }) => properties.ServiceToken));
}

/** Returns the folder with the content of an asset. Undefined: the asset itself. */
type ContentOf = (asset: string) => Promise<string | undefined>;

export async function createBuckets(model: Model, contentOf?: ContentOf): Promise<Buckets> {
  const all = new Map(model.all(bucket).map(({ name }): [string, Files] => [name, new Map()]));
  for (const one of model.all(deployment)) {
    const { DestinationBucketName: name } = one.properties;
    const files = all.get(name);
    if (!files) throw new Error(`The templates have no bucket ${name} (${one.logicalId}).`);
    // Deployments have no order here, so it is unknown whose files would remain.
    if (files.size > 0 && one.properties.Prune)
      throw new Error(`The deployment ${one.logicalId} would delete the files of another one: set \`prune: false\`.`);
    await deploy(one, files, model, contentOf);
  }
  return all;
}

async function deploy(
  { logicalId, properties }: TemplateResource<z.infer<typeof deployment.properties>>,
  into: Files,
  model: Model,
  contentOf: ContentOf | undefined,
): Promise<void> {
  const { Exclude, Include, SystemMetadata } = properties;
  const isLeftOut = (key: string) =>
    Exclude.some((pattern) => glob(pattern, key)) && !Include.some((pattern) => glob(pattern, key));
  for (const [i, objectKey] of properties.SourceObjectKeys.entries()) {
    const asset = model.asset(objectKey);
    if (!asset) throw new Error(`The cloud assembly has no files for ${deployment.type} (${logicalId}).`);
    const folder = (await contentOf?.(asset)) ?? asset;
    const isJson = properties.SourceMarkersConfig[i]?.jsonEscape === true;
    const markers = Object.entries(properties.SourceMarkers[i] ?? {}).map(([marker, value]): [string, string] => [
      marker,
      isJson ? JSON.stringify(value).slice(1, -1) : value,
    ]);
    for (const [key, body] of await filesIn(folder)) {
      if (isLeftOut(key)) continue;
      const content = markers.length === 0 ? body : Buffer.from(replaced(body.toString(), markers));
      into.set(key, stored(key, content, SystemMetadata));
    }
  }
}

function replaced(text: string, markers: readonly (readonly [string, string])[]): string {
  return markers.reduce((result, [marker, value]) => result.replaceAll(marker, () => value), text);
}

async function filesIn(folder: string): Promise<[key: string, body: Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    names.map(
      async (name): Promise<[string, Buffer]> => [relative(folder, name).split(sep).join('/'), await readFile(name)],
    ),
  );
}

export const cloudFrontArn = (distribution: string) =>
  `arn:aws:cloudfront::${localAccount}:distribution/${distribution}`;
