/** An HTTP API with one route and one function for each row of its table, and for each extra route. */
import { Aws, CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { isAudited } from '../../contract/define.ts';
import { fileName } from '../../contract/integration/api.ts';
import { accessChainNeeds, allOf, auditNeeds, sessionNeeds } from '../../contract/system/needs.ts';
import { acknowledge } from '../acknowledgements.ts';
import type { Api } from '../apis.ts';
import { Canaries } from '../constructs/canaries.ts';
import { Gateway } from '../constructs/gateway.ts';
import type { SignIn } from '../constructs/owners.ts';
import { type FunctionContext, RowFunction } from '../constructs/row-function.ts';
import { StageLog } from '../constructs/stage-log.ts';
import type { Settings } from '../context.ts';
import { handlerOf } from '../handlers.ts';
import { pascalCase } from '../names.ts';
import { assertOneNamePerPosition, routeKeyOf } from '../route-keys.ts';
import type { RouteBounds, Stage } from '../stage.ts';

/** Enough for the slowest chain of calls with the SDK's retries. Rows with more work set their own value. */
const timeoutSecondsDefault = 10;
/** 512 MB include the CPU share that a cold start needs. */
const memoryMb = 512;

interface ApiStackProps extends StackProps, FunctionContext {
  readonly api: Api;
  /** Creates the sign-in of owners in the given stack. Only the account API calls it. */
  readonly signIn: (scope: Construct) => SignIn;
  readonly domain: Settings['domain'];
  /** Whether requests come through the edge, and only through the edge unless direct requests are allowed. */
  readonly isFronted: boolean;
  readonly allowsDirect: boolean;
}

export class ApiStack extends Stack {
  /** The title for readers: the integration API. */
  readonly title: string;
  /** The sign-in of the owners who call the API. */
  readonly signIn: SignIn | undefined;
  readonly gateway: Gateway;
  readonly functions: readonly RowFunction[];
  /** The secret with which the edge authenticates itself. */
  readonly edgeSecret: Secret | undefined;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    const { api, stage, bundles, resources, signIn, domain, isFronted, allowsDirect, ...stackProps } = props;
    super(scope, id, stackProps);
    this.title = `the ${api.name.replace('-api', ' API')}`;
    this.signIn = api.callers === 'owners' ? signIn(this) : undefined;
    this.gateway = new Gateway(this, 'Gateway', {
      stage,
      name: api.name,
      description: api.description,
      isFronted: isFronted && !allowsDirect,
      domain: domain && { ...domain, name: `${api.namePrefix}${domain.name}` },
      ...(this.signIn && {
        authorizer: { name: 'OwnerToken', issuer: this.signIn.issuer, audience: this.signIn.audience },
      }),
    });
    const routes: readonly (Served & { readonly routeKey: string; readonly called: string })[] = [
      ...api.rows.map((row) => ({
        ...row,
        needs: allOf(accessChainNeeds, row.needs, isAudited(row) ? auditNeeds : {}, row.session ? sessionNeeds : {}),
        routeKey: routeKeyOf(api.prefix, row),
        called: `${row.method} ${row.path}`,
      })),
      ...api.extras.map((extra) => ({ ...extra, called: extra.operation })),
    ];
    assertOneNamePerPosition(routes.map(({ routeKey }) => routeKey));
    const logGroup = new StageLog(this, 'Logs', { stage });
    this.edgeSecret = isFronted ? this.#edgeSecret() : undefined;
    const edgeSecret = allowsDirect ? undefined : this.edgeSecret?.secretValue.unsafeUnwrap();
    // CloudFormation draws this value when the stack is created; only readers of the account know it.
    const addressKey = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    this.functions = routes.map((route) => {
      const { routeKey, operation, summary, needs, timeoutSeconds = timeoutSecondsDefault } = route;
      // A wait for name servers is short, so only the rate limits these functions, not reserved concurrency.
      const { rate, burst } = stage.heldRoute;
      const throttle: RouteBounds = { rate, burst };
      // A route with a longer timeout waits for a foreign server, or sends to many.
      const isHeld = timeoutSeconds > timeoutSecondsDefault;
      const held = isHeld ? stage.heldRoute : undefined;
      const bounds = route.waits ? stage.waitingRoute : route.waitsForNames ? throttle : held;
      const served = new RowFunction(this, pascalCase(operation), {
        stage,
        bundles,
        resources: { ...resources, people: this.signIn?.pool },
        name: `${api.namePrefix}${fileName(operation)}`,
        handler: handlerOf.route(api, operation),
        row: { summary, needs, timeoutSeconds, memoryMb },
        atOnce: bounds?.atOnce,
        logGroup,
        ...(api.callers === 'keys' && {
          environment: { ADDRESS_KEY: addressKey, ...(edgeSecret !== undefined && { EDGE_SECRET: edgeSecret }) },
        }),
      });
      this.gateway.route(routeKey, served, bounds, isHeld);
      return served;
    });
    new Canaries(this, 'Canaries', {
      stage,
      functions: this.functions.map((one, i) => ({ function: one, operation: routes[i]?.called ?? '' })),
      answers: logGroup,
    });
    this.#contention(stage, logGroup);
    // The edge of a stage without alarms imports it until the stage gets a domain; an export in use cannot go.
    this.exportValue(this.gateway.api.apiId);
    new CfnOutput(this, 'ApiUrl', { value: this.gateway.url });
  }

  #edgeSecret(): Secret {
    const secret = new Secret(this, 'EdgeSecret', {
      description: 'Sent by the edge with each request, which the functions look for',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
    });
    acknowledge(secret, 'changedWithBothEnds');
    return secret;
  }

  /** The saved query of docs/runbooks/slow-answers.md: which changes conflict, and how many attempts they need. */
  #contention(stage: Stage, logGroup: ILogGroup): void {
    new QueryDefinition(this, 'Contention', {
      queryDefinitionName: `${stage.prefix}/Contention of ${this.title}`,
      queryString: new QueryString({
        filterStatements: ['tries > 1'],
        statsStatements: ['count(*) as changes, avg(tries), max(tries) by operation, bin(5m) as time'],
        sort: 'changes desc',
      }),
      logGroups: [logGroup],
    });
  }
}

/** The common properties of a row and an extra route. */
type Served = Pick<
  Api['rows'][number],
  'operation' | 'summary' | 'needs' | 'timeoutSeconds' | 'waits' | 'waitsForNames'
>;
