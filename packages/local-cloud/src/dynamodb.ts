/** Tables: created in the DynamoDB emulator as the templates define them. */
import * as z from 'zod/mini';
import { arn } from './arn.ts';
import type { EmulatorClient, RawAnswer } from './emulator-client.ts';
import { flag, ignored, type Kind, type TemplateResource } from './kind.ts';
import type { Model } from './model.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.string() }));
const projection = z.strictObject({
  ProjectionType: z.optional(z.string()),
  NonKeyAttributes: z.optional(z.array(z.string())),
});

/** Protects data, which a local folder does not need. */
const protection = {
  ContributorInsightsSpecification: ignored,
  DeletionProtectionEnabled: ignored,
  PointInTimeRecoverySpecification: ignored,
  TableClass: ignored,
  Tags: ignored,
};

/** The properties of tables and of global tables. */
const properties = z.strictObject({
  TableName: z.optional(z.string()),
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.string() })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z._default(
    z.array(
      z.strictObject({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: projection,
        ContributorInsightsSpecification: ignored,
        OnDemandThroughput: ignored,
        WarmThroughput: ignored,
        WriteOnDemandThroughputSettings: ignored,
      }),
    ),
    [],
  ),
  LocalSecondaryIndexes: z.optional(
    z.array(z.strictObject({ IndexName: z.string(), KeySchema: keySchema, Projection: projection })),
  ),
  Replicas: z._default(
    z.array(
      z.strictObject({
        Region: z.string(),
        SSESpecification: z.optional(z.strictObject({ KMSMasterKeyId: z.string() })),
        ...protection,
        GlobalSecondaryIndexes: ignored,
        GlobalTableSettingsReplicationMode: ignored,
        KinesisStreamSpecification: ignored,
        ReadOnDemandThroughputSettings: ignored,
      }),
    ),
    [],
  ),
  SSESpecification: z.optional(
    z.strictObject({ SSEEnabled: flag, SSEType: z.optional(z.string()), KMSMasterKeyId: z.optional(z.string()) }),
  ),
  StreamSpecification: z.optional(z.strictObject({ StreamViewType: z.string() })),
  TimeToLiveSpecification: z.optional(z.strictObject({ AttributeName: z.optional(z.string()), Enabled: flag })),
  ...protection,
  BillingMode: ignored,
  GlobalTableSettingsReplicationMode: ignored,
  OnDemandThroughput: ignored,
  ProvisionedThroughput: ignored,
  WarmThroughput: ignored,
  WriteOnDemandThroughputSettings: ignored,
});

export const tableKinds = ['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'].map((type) => {
  return { type, nameProperty: 'TableName', attribute: tableAttribute, properties } satisfies Kind;
});

function tableAttribute(attribute: string, name: string): string | undefined {
  return { Arn: arn('dynamodb', `table/${name}`), StreamArn: streamArn(name), TableId: name }[attribute];
}

function streamArn(tableName: string): string {
  return arn('dynamodb', `table/${tableName}/stream/local`);
}

type Table = TemplateResource<z.infer<typeof properties>>;

export interface Tables {
  readonly names: readonly string[];
  /** Keys that the callers of a table must be allowed to use, by the table's ARN. */
  readonly keys: ReadonlyMap<string, string>;
  /** Maps the stream ARN of templates and policies to the one of the emulator. */
  readonly streams: ReadonlyMap<string, string>;
}

export async function createTables(model: Model, emulator: EmulatorClient): Promise<Tables> {
  const tables = tableKinds.flatMap((kind) => model.all(kind));
  const streams = new Map<string, string>();
  const keys = new Map<string, string>();
  for (const table of tables) {
    const emulatorStream = await createTable(table, emulator);
    if (emulatorStream !== undefined) streams.set(streamArn(table.name), emulatorStream);
    const { Replicas, SSESpecification } = table.properties;
    const key = [SSESpecification, ...Replicas.map((one) => one.SSESpecification)].find((one) => one?.KMSMasterKeyId);
    const id = key?.KMSMasterKeyId;
    if (id !== undefined)
      keys.set(arn('dynamodb', `table/${table.name}`), id.startsWith('arn:') ? id : arn('kms', `key/${id}`));
  }
  return { names: tables.map(({ name }) => name), keys, streams };
}

const description = z.object({
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z._default(z.array(z.object({ IndexName: z.string(), KeySchema: keySchema })), []),
  LatestStreamArn: z.optional(z.string()),
});

async function createTable({ name, properties }: Table, emulator: EmulatorClient): Promise<string | undefined> {
  const indexes = properties.GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
  const existing = await call(emulator, 'DescribeTable', { TableName: name });
  if (existing.status !== 200) {
    const created = await call(emulator, 'CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema,
      ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
      ...(properties.LocalSecondaryIndexes && { LocalSecondaryIndexes: properties.LocalSecondaryIndexes }),
      ...(properties.StreamSpecification && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: properties.StreamSpecification.StreamViewType },
      }),
    });
    if (created.status !== 200) throw new Error(`The DynamoDB emulator refused the table ${name}: ${created.body}`);
    const timeToLive = properties.TimeToLiveSpecification;
    if (timeToLive?.Enabled) {
      await call(emulator, 'UpdateTimeToLive', { TableName: name, TimeToLiveSpecification: timeToLive });
    }
  }
  const found = await call(emulator, 'DescribeTable', { TableName: name });
  const table = z.object({ Table: description }).parse(JSON.parse(found.body.toString())).Table;
  const shape = ({ KeySchema, GlobalSecondaryIndexes }: Pick<typeof table, 'KeySchema' | 'GlobalSecondaryIndexes'>) =>
    JSON.stringify([KeySchema, GlobalSecondaryIndexes.map((one) => [one.IndexName, one.KeySchema]).sort()]);
  if (shape(table) !== shape(properties) || (properties.StreamSpecification && !table.LatestStreamArn)) {
    throw new Error(
      `The table ${name} in the data folder has other keys or indexes than in the templates: choose another folder, or empty it.`,
    );
  }
  return properties.StreamSpecification ? table.LatestStreamArn : undefined;
}

function call(emulator: EmulatorClient, operation: string, body: unknown): Promise<RawAnswer> {
  return emulator.raw(`DynamoDB_20120810.${operation}`, Buffer.from(JSON.stringify(body)));
}
