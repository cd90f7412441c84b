/** Names that must be unique in an account and region: every stage, and every later deployment, needs others. */
import { expect, test } from 'vitest';
import { type Assembly, synthesised } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

const { context } = variants['all settings'];

/** Properties that are not the name of the resource itself, or are unique only inside another resource. */
const others = new Set([
  'AWS::ApiGatewayV2::DomainName DomainName',
  'AWS::ApiGatewayV2::ApiMapping DomainName',
  'AWS::ApiGatewayV2::Stage StageName',
  'AWS::CodeDeploy::DeploymentGroup ApplicationName',
  'AWS::CodeDeploy::DeploymentGroup DeploymentConfigName',
  'AWS::EC2::EIP Domain',
  'AWS::EC2::VPCEndpoint ServiceName',
  'AWS::Events::Rule EventBusName',
  'AWS::IAM::Policy PolicyName',
  'AWS::KMS::Alias TargetKeyId',
  'AWS::Lambda::Alias FunctionName',
  'AWS::Lambda::Alias Name',
  'AWS::Lambda::EventInvokeConfig FunctionName',
  'AWS::Lambda::EventSourceMapping FunctionName',
  'AWS::Lambda::Permission FunctionName',
  'AWS::Lambda::Version FunctionName',
  'AWS::Logs::MetricFilter LogGroupName',
  'AWS::SES::ConfigurationSetEventDestination ConfigurationSetName',
  'Custom::CDKBucketDeployment DestinationBucketName',
  'Custom::S3AutoDeleteObjects BucketName',
]);

/** `Stack Id: name` for each resource with an explicit name. */
function namesOf({ resources }: Assembly, isMeant: (deletionPolicy: string | undefined) => boolean = () => true) {
  return resources
    .filter(({ deletionPolicy }) => isMeant(deletionPolicy))
    .flatMap(({ stack, id, type, properties }) =>
      Object.entries(properties).flatMap(([property, value]) =>
        /(?:Name|^Domain)$/.test(property) && !others.has(`${type} ${property}`)
          ? [`${stack} ${id} ${property}: ${JSON.stringify(value)}`]
          : [],
      ),
    );
}

test('Two stages in one AWS account have no resource name in common, even if they use every setting', async () => {
  const [prod, dev] = await Promise.all([synthesised('prod', context), synthesised('dev', context)]);
  const taken = new Set(namesOf(prod));
  expect(taken.size).toBeGreaterThan(100);
  expect(namesOf(dev).filter((name) => taken.has(name))).toEqual([]);
});

test('A resource that is kept when its stack is deleted has no fixed name, because this name would block the next deployment', async () => {
  const isKept = (deletionPolicy: string | undefined) => deletionPolicy?.startsWith('Retain') ?? false;
  const names = namesOf(await synthesised('prod', context), isKept);
  expect(names.length).toBeGreaterThan(1);
  // Names of user pools need not be unique.
  const fixed = names.filter((name) => !name.includes('{"Ref":"AWS::StackId"}') && !name.includes(' UserPoolName: '));
  expect(fixed).toEqual([]);
});
