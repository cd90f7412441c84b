/** A small system as a cloud assembly: an API, a table with a stream, a bus, a queue, and functions between them. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { adminClientOptions, type Cloud, type CloudOptions, startCloud } from '../src/start-cloud.ts';
import type { Template } from '../src/templates.ts';

const code = { Code: { S3Bucket: 'assets', S3Key: 'code.zip' }, Runtime: 'nodejs24.x' };
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const allow = (Action: string[], Resource: unknown) => ({ Effect: 'Allow', Action, Resource });

const intoLines = allow(['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('Lines'));

function lambda(name: string, statements: object[], properties: object = {}) {
  return {
    ...role(`${name}Role`, 'lambda.amazonaws.com', statements),
    [name]: {
      Type: 'AWS::Lambda::Function',
      Properties: { ...code, Handler: `index.${name.toLowerCase()}`, Role: arnOf(`${name}Role`), ...properties },
    },
  };
}

const queueAccess = (queue: string) =>
  allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], arnOf(queue));

const proxy = { type: 'aws_proxy', httpMethod: 'POST', uri: arnOf('Api'), payloadFormatVersion: '2.0' };

const template = {
  Resources: {
    Items: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [{ Region: { Ref: 'AWS::Region' } }],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      },
    },
    Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'work-dead' } },
    Work: {
      Type: 'AWS::SQS::Queue',
      Properties: { QueueName: 'work', RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 2 } },
    },
    WorkPolicy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: {
        Queues: [{ Ref: 'Work' }],
        PolicyDocument: {
          Statement: [
            {
              ...allow(['sqs:SendMessage'], arnOf('Work')),
              Principal: { Service: 'events.amazonaws.com' },
              Condition: { ArnEquals: { 'aws:SourceArn': arnOf('Wanted') } },
            },
          ],
        },
      },
    },
    Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'fixture' } },
    Wanted: {
      Type: 'AWS::Events::Rule',
      Properties: {
        EventBusName: { Ref: 'Bus' },
        EventPattern: { source: ['fixture'], 'detail-type': ['wanted'] },
        Targets: [{ Id: 'work', Arn: arnOf('Work') }],
      },
    },
    Lines: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'shared-lines' } },
    ...lambda('Api', [allow(['dynamodb:PutItem'], arnOf('Items')), intoLines], {
      LoggingConfig: { LogGroup: { Ref: 'Lines' } },
      Timeout: 30,
      MemorySize: 64,
      Environment: { Variables: { TABLE: { Ref: 'Items' } } },
    }),
    ...lambda(
      'Relay',
      [
        allow(['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'], {
          'Fn::GetAtt': ['Items', 'StreamArn'],
        }),
        allow(['events:PutEvents'], arnOf('Bus')),
      ],
      { Environment: { Variables: { BUS: { Ref: 'Bus' } } } },
    ),
    RelaySource: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Items', 'StreamArn'] },
        FunctionName: { Ref: 'Relay' },
        StartingPosition: 'TRIM_HORIZON',
        FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ eventName: ['INSERT'] }) }] },
      },
    },
    ...lambda('Worker', [queueAccess('Work')]),
    WorkSource: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: arnOf('Work'),
        FunctionName: { Ref: 'Worker' },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
    HttpApi: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Body: {
          openapi: '3.0.1',
          info: { title: 'fixture', version: '1.0' },
          paths: {
            ...path('/do/{deed}', 'x-amazon-apigateway-any-method'),
            ...path('/to/{pk}/{deed}', 'post'),
            ...path('/closed/hello', 'get'),
            ...path('/trusted/{deed}', 'get', 'TrustedRole'),
            ...path('/powerless/{deed}', 'get', 'PowerlessRole'),
            ...path('/foreign/{deed}', 'get', 'ForeignRole'),
          },
        },
      },
    },
    Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId: { Ref: 'HttpApi' }, StageName: '$default' } },
    ...role('TrustedRole', 'apigateway.amazonaws.com', [allow(['lambda:InvokeFunction'], arnOf('Api'))]),
    ...role('PowerlessRole', 'apigateway.amazonaws.com', [allow(['lambda:InvokeFunction'], arnOf('Worker'))]),
    ...role('ForeignRole', 'lambda.amazonaws.com', [allow(['lambda:InvokeFunction'], arnOf('Api'))]),
    Permission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: arnOf('Api'),
        Principal: 'apigateway.amazonaws.com',
        SourceArn: { 'Fn::Sub': `arn:aws:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${HttpApi}/*/*/*o/*` },
      },
    },
  },
};

/** An operation that invokes the function `Api`, with a role if one is given. */
function path(path: string, method: string, role?: string) {
  const integration = { ...proxy, ...(role !== undefined && { credentials: arnOf(role) }) };
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true }));
  return { [path]: { parameters, [method]: { responses: {}, 'x-amazon-apigateway-integration': integration } } };
}

/** A role that a service may take. */
function role(id: string, Service: string, statements: object[]) {
  return {
    [id]: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service } }],
        },
        Policies: [{ PolicyName: 'own', PolicyDocument: { Statement: statements } }],
      },
    },
  };
}

/** Changes properties of a resource, as `mutateTemplates`. */
export const changed =
  (name: string, properties: Record<string, unknown>) =>
  ([app]: readonly Template[]): void => {
    Object.assign(app?.resources[name]?.Properties ?? {}, properties);
  };

/** Starts a system until the test ends. */
export async function started(options: CloudOptions): Promise<Cloud> {
  const cloud = await startCloud(options);
  onTestFinished(() => cloud.stop());
  return cloud;
}

/** An SDK client that may do everything, until the test ends. */
export function adminClient<T extends { destroy(): void }>(
  Client: new (options: ReturnType<typeof adminClientOptions>) => T,
  cloud: Parameters<typeof adminClientOptions>[0],
): T {
  const client = new Client(adminClientOptions(cloud));
  onTestFinished(() => client.destroy());
  return client;
}

/** A folder until the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'local-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the assembly for the tests of a file, and returns its folder. */
export function fixtureAssembly(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fixture-assembly-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));
  write('manifest.json', {
    artifacts: {
      App: { type: 'aws:cloudformation:stack', properties: { templateFile: 'app.json' }, dependencies: ['App.assets'] },
      'App.assets': { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
    },
  });
  write('assets.json', {
    files: {
      code: { source: { path: 'code' }, destinations: { here: { bucketName: 'assets', objectKey: 'code.zip' } } },
    },
  });
  write('app.json', template);
  cpSync(fileURLToPath(new URL('./fixture', import.meta.url)), join(folder, 'code'), { recursive: true });
  return folder;
}
