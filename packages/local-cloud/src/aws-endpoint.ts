/**
 * The AWS endpoint that the SDKs of all functions call. The access key id identifies the function, the target the
 * operation, and the body the resources. A call is checked against the function's policies and then executed.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { localAccount } from './arn.ts';
import { AwsError } from './aws-error.ts';
import { type Body, type KeyOf, permissionsOf, type Service } from './aws-permissions.ts';
import { type EmulatorClient, type RawAnswer, readAll } from './emulator-client.ts';
import { type DrawnFault, drawFaults, type Faults, slowMs } from './faults.ts';
import { isForeign } from './foreign-requests.ts';
import { closed } from './http-server.ts';
import type { Permission } from './iam.ts';
import { type LocalLog, messageOf } from './log.ts';
import type { Policies, Principal } from './policies.ts';
import type { QueueEmulator } from './sqs-emulator.ts';

/** The services that the endpoint forwards calls to. They are set once everything is created. */
export interface Backends {
  readonly dynamodb: EmulatorClient;
  readonly queues: QueueEmulator;
  readonly policies: Policies;
  readonly keyOf: KeyOf;
  /** Maps the stream ARN of the templates to the one of the emulator. */
  readonly streams: ReadonlyMap<string, string>;
  putEvents(body: Body): Promise<Record<string, unknown>>;
  /** Executes the administrator operations of a user pool. */
  people(operation: string, body: Body): Record<string, unknown>;
  /** Executes `SendEmail`. */
  mail(body: Body): Promise<Record<string, unknown>>;
  /** Returns the function or administrator that has this access key id. */
  principalOf(accessKeyId: string): Principal | undefined;
  /** Called after a write to a table, so that the stream reader reads at once and need not wait for its next poll. */
  written(): void;
}

export interface AwsEndpoint {
  readonly url: string;
  connect(backends: Backends): void;
  /** Logs and throws an AwsError like that of AWS if the principal lacks a permission. */
  authorize(principal: Principal, permissions: readonly Permission[]): void;
  stop(): Promise<void>;
}

const targets: Readonly<Record<string, Service>> = {
  DynamoDB_20120810: 'dynamodb',
  DynamoDBStreams_20120810: 'streams',
  AmazonSQS: 'sqs',
  AWSEvents: 'events',
  AWSCognitoIdentityProviderService: 'people',
  SimpleEmailService_v2: 'mail',
};

/** Targets of the service that is called by paths. */
const paths: Readonly<Record<string, string>> = { 'POST /v2/email/outbound-emails': 'SimpleEmailService_v2.SendEmail' };

/** `faults` affect only the calls of functions, never those of the administrator. */
export async function startAwsEndpoint(log: LocalLog, faults: Faults = {}): Promise<AwsEndpoint> {
  let backends: Backends | undefined;
  const fateOf = drawFaults(faults);

  function connected(): Backends {
    if (!backends) throw new AwsError('ServiceUnavailable', 'The local run is still starting.', 503);
    return backends;
  }

  function authorize(principal: Principal, permissions: readonly Permission[]): void {
    const { policies } = connected();
    for (const permission of permissions) {
      const decision = policies.decide(principal, permission);
      if (decision === 'allow') continue;
      const error = accessDenied(principal, permission, decision === 'explicit deny');
      log.write('denied', principal.kind === 'role' ? principal.functionName : '', error.message);
      throw error;
    }
  }

  /** Returns undefined if the call is never answered. */
  async function handle(incoming: IncomingMessage): Promise<RawAnswer | undefined> {
    if (isForeign(incoming)) {
      log.write(
        'denied',
        '',
        `The AWS endpoint refused a request of ${incoming.headers.origin ?? incoming.headers.host}.`,
      );
      throw new AwsError('AccessDeniedException', 'This endpoint is for programs on this machine.', 403);
    }
    const principal = connected().principalOf(credentialOf(incoming)[0] ?? '');
    if (!principal)
      throw new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
    const functionName = principal.kind === 'role' ? principal.functionName : '';
    const target = paths[`${incoming.method} ${incoming.url}`] ?? String(incoming.headers['x-amz-target'] ?? '');
    const [prefix = '', operation = ''] = target.split('.');
    const service = Object.hasOwn(targets, prefix) ? targets[prefix] : undefined;
    if (!service || !operation) {
      const message = `The local run does not support ${target || `the service ${credentialOf(incoming)[3]}`}.`;
      log.write('denied', functionName, message);
      throw new AwsError('UnknownOperationException', message);
    }
    const bytes = await readAll(incoming);
    const body = parse(bytes);
    authorize(principal, permissionsOf(service, operation, body, connected().keyOf));
    const perform = () => serve(connected(), service, operation, target, body, bytes);
    const fate = functionName && fateOf(functionName, target);
    if (!fate) return perform();
    log.write('fault', functionName, `${target}: ${fate.kind}${fate.isDone ? ', done' : ''}`);
    return applyFault(fate, service, perform);
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    handle(incoming)
      .catch((error: unknown) => failure(error, log))
      .then((answer) => answer && write(outgoing, answer))
      .catch(() => outgoing.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connect: (given) => {
      backends = given;
    },
    authorize,
    stop: () => closed(server),
  };
}

/** The throttling error of each service. */
const throttled: Readonly<Record<Service, string>> = {
  dynamodb: 'ProvisionedThroughputExceededException',
  streams: 'LimitExceededException',
  sqs: 'RequestThrottled',
  events: 'ThrottlingException',
  people: 'TooManyRequestsException',
  mail: 'TooManyRequestsException',
};

async function applyFault(
  { kind, isDone }: DrawnFault,
  service: Service,
  perform: () => Promise<RawAnswer>,
): Promise<RawAnswer | undefined> {
  if (kind === 'throttle') throw new AwsError(throttled[service], 'The rate of requests is too high.');
  if (kind === 'fail') throw new AwsError('InternalServerError', 'The service had an internal error.', 500);
  const answer = isDone ? await perform() : undefined;
  if (kind === 'half-open') return undefined;
  await delay(slowMs);
  return answer;
}

const writes = /^(?:Put|Update|Delete|BatchWrite|TransactWrite|BatchExecute|Execute)/;

async function serve(
  { dynamodb, queues, streams, putEvents, people, mail, written }: Backends,
  service: Service,
  operation: string,
  target: string,
  body: Body,
  bytes: Buffer,
): Promise<RawAnswer> {
  if (service === 'sqs') return json(await queues.call(operation, body));
  if (service === 'people') return json(people(operation, body));
  if (service === 'mail') return json(await mail(body));
  if (service === 'events') {
    if (operation === 'PutEvents') return json(await putEvents(body));
    throw new AwsError('UnknownOperationException', `The local run does not support ${target}.`);
  }
  const emulatorBody = translated(body, streams);
  const answer = await dynamodb.raw(target, emulatorBody === body ? bytes : Buffer.from(JSON.stringify(emulatorBody)));
  if (service === 'dynamodb' && answer.status === 200 && writes.test(operation)) written();
  return answer;
}

/** The emulator identifies a table by its name only, and a stream by an ARN of its own. */
function translated(body: Body, streams: ReadonlyMap<string, string>): Body {
  const { TableName: table, StreamArn: stream } = body;
  if (typeof table === 'string' && table.startsWith('arn:')) return { ...body, TableName: table.split('/')[1] };
  const emulatorStream = typeof stream === 'string' ? streams.get(stream) : undefined;
  return emulatorStream === undefined ? body : { ...body, StreamArn: emulatorStream };
}

/** Returns the access key id, the date, the region and the service for which a call is signed. */
function credentialOf(incoming: IncomingMessage): readonly string[] {
  return /Credential=([^,]+)/.exec(incoming.headers.authorization ?? '')?.[1]?.split('/') ?? [];
}

function accessDenied(principal: Principal, { action, resource }: Permission, explicit: boolean): AwsError {
  const user =
    principal.kind === 'role'
      ? `arn:aws:sts::${localAccount}:assumed-role/${principal.roleName}/${principal.functionName}`
      : principal.kind === 'service'
        ? principal.name
        : principal.kind;
  const basis = principal.kind === 'role' ? 'identity-based' : 'resource-based';
  const reason = explicit
    ? 'with an explicit deny in a policy'
    : `because no ${basis} policy allows the ${action} action`;
  return new AwsError(
    'AccessDeniedException',
    `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`,
  );
}

function failure(error: unknown, log: LocalLog): RawAnswer {
  if (error instanceof AwsError) return json({ __type: error.type, message: error.message }, error.status);
  log.write('local', '', `The AWS endpoint failed: ${messageOf(error)}`);
  return json({ __type: 'InternalServerError', message: 'The local emulator failed.' }, 500);
}

function json(body: Readonly<Record<string, unknown>>, status = 200): RawAnswer {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: Buffer.from(JSON.stringify(body)) };
}

function parse(bytes: Buffer): Body {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8') || '{}');
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  } catch {
    // The error below covers invalid JSON too.
  }
  throw new AwsError('SerializationException', 'The body is not a JSON object.');
}

function write(outgoing: ServerResponse, { status, headers, body }: RawAnswer): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, { 'x-amzn-requestid': randomUUID(), ...headers, 'content-length': body.length });
  outgoing.end(body);
}
