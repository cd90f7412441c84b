/** The function of a row: its bundle, and its own role, which allows exactly the needs of the row. */
import { Duration } from 'aws-cdk-lib';
import type { ISecurityGroup, IVpc } from 'aws-cdk-lib/aws-ec2';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionRow } from '../../contract/system/needs.ts';
import type { Bundles } from '../bundle.ts';
import { settingsOf } from '../context.ts';
import { callsReceivers, canaryHandlers, type HandlerName } from '../handlers.ts';
import type { Stage } from '../stage.ts';
import { environmentFor, type Resources, statementsFor } from './needs.ts';
import { OwnRole } from './own-role.ts';
import { StageLog } from './stage-log.ts';

/** What the functions of a stack have in common. */
export interface FunctionContext {
  readonly stage: Stage;
  readonly bundles: Bundles;
  readonly resources: Resources;
}

interface RowFunctionProps extends FunctionContext {
  /** The physical name without the stage's prefix: `create-webhook`. */
  readonly name: string;
  readonly handler: HandlerName;
  readonly row: FunctionRow;
  /**
   * Whether the function sends to its own source queue by design. Otherwise Lambda stops a message after about sixteen
   * invocations as a recursive loop.
   */
  readonly sendsToOwnQueue?: boolean;
  /** The reserved concurrency, which is part of the account's limit. */
  readonly atOnce?: number | undefined;
  /** Actions that IAM supports only on the resource `*`. */
  readonly unscopedActions?: readonly string[];
  /** Environment variables in addition to those of its needs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The shared log group. Without it the function has its own. */
  readonly logGroup?: LogGroup;
}

export class RowFunction extends Construct {
  readonly name: string;
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;
  /** The alias of canary deployments, if the function has them. */
  readonly alias: Alias | undefined;
  /** The version that the alias moves to. */
  readonly version: string | undefined;
  /** The function or alias that routes and event sources invoke. */
  readonly invoked: IFunction;
  readonly role: OwnRole;

  constructor(scope: Construct, id: string, props: RowFunctionProps) {
    super(scope, id);
    const { stage, resources, row } = props;
    this.name = `${stage.prefix}-${props.name}`;

    this.logGroup = props.logGroup ?? new StageLog(this, 'Logs', { stage });
    const { shipsSourceMaps, isTraced } = settingsOf(this.node);
    const egress = callsReceivers(props.handler) ? resources.egress : undefined;
    this.role = new OwnRole(this, 'Role', {
      description: `What ${this.name} may do`,
      service: 'lambda.amazonaws.com',
      statements: statementsFor(row.needs, resources),
      unscopedActions: [
        ...(isTraced ? tracingActions : []),
        ...(props.unscopedActions ?? []),
        ...(egress ? interfaceActions : []),
      ],
    });
    this.logGroup.grantWrite(this.role);

    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: this.name,
      description: row.summary,
      runtime: Runtime.NODEJS_24_X,
      // The bundles are plain JavaScript, so they run unchanged on the cheaper processor.
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(bundleFolder(props.bundles, props.handler), shipsSourceMaps ? {} : { exclude: ['*.map'] }),
      role: this.role,
      environment: {
        ...environmentFor(row.needs, resources),
        METRICS_NAMESPACE: stage.prefix,
        ...props.environment,
        ...(shipsSourceMaps && { NODE_OPTIONS: '--enable-source-maps' }),
      },
      timeout: Duration.seconds(row.timeoutSeconds),
      memorySize: row.memoryMb,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // These are starts, durations and memory: one short line each.
      systemLogLevelV2: SystemLogLevel.INFO,
      ...(props.atOnce !== undefined && { reservedConcurrentExecutions: props.atOnce }),
      ...(egress && { vpc: egress.vpc as IVpc, securityGroups: [egress.securityGroup as ISecurityGroup] }),
      ...(props.sendsToOwnQueue && { recursiveLoop: RecursiveLoop.ALLOW }),
    });
    // The role already allows tracing; the construct's `tracing` would add the same statement to the needs of the row.
    if (isTraced) (this.lambda.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
    // The CDK's declarations do not distinguish missing properties from undefined ones: hence the two `as`.
    const version = stage.canaries && canaryHandlers.includes(props.handler) ? this.lambda.currentVersion : undefined;
    this.version = version?.version;
    this.alias = version && new Alias(this, 'Live', { aliasName: 'live', version: version as IVersion });
    this.invoked = (this.alias ?? this.lambda) as IFunction;
  }
}

/** The actions with which Lambda attaches the function to a VPC. */
const interfaceActions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

const tracingActions = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];

function bundleFolder(bundles: Bundles, handler: HandlerName): string {
  const bundle = bundles.get(handler);
  if (!bundle) throw new Error(`There is no bundle of functions/${handler}.ts.`);
  return bundle.folder;
}
