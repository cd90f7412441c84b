/**
 * The reasons why an attempt got no response: a fixed list with public messages (docs/rules.md#delivery-records), and
 * whether the failure is a platform fault.
 */

import type { DeliveryErrorCode } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';

export type SendErrorCode = Exclude<DeliveryErrorCode, 'http_status' | 'webhook_disabled'>;

/**
 * The stages of an attempt, in order. `begin` asks our own machine for a connection, and ends before the network can
 * respond; later results belong to `connect`.
 */
export type Stage = 'resolve' | 'begin' | 'connect' | 'secure' | 'exchange';

/**
 * Thrown while a message is sent, and converted to an outcome at the end of the attempt. The integrator sees `message`.
 */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly errorCode: SendErrorCode;
  /**
   * Whether this is a platform fault, which is never counted as a failure of the receiver
   * (docs/rules.md#platform-faults).
   */
  readonly platformFault: boolean;

  constructor(errorCode: SendErrorCode, message: string, extras: { platformFault?: boolean; cause?: unknown } = {}) {
    super(message, { cause: extras.cause });
    this.errorCode = errorCode;
    this.platformFault = extras.platformFault ?? false;
  }
}

interface Row {
  readonly code: SendErrorCode;
  readonly message: string;
  readonly platformFault?: true;
}

/** The code if the error has no known one. */
const byStage: Record<Stage, Row> = {
  resolve: { code: 'dns_error', message: 'The host name could not be resolved.' },
  begin: { code: 'connect_error', message: 'The connection could not be established.' },
  connect: { code: 'connect_error', message: 'The connection could not be established.' },
  secure: { code: 'tls_error', message: 'The TLS handshake failed.' },
  exchange: {
    code: 'connect_error',
    message: 'The receiver closed the connection before the response headers were complete.',
  },
};

const platformBug: Row = { code: 'connect_error', message: 'Sending failed on our side.', platformFault: true };

/**
 * A lack of a resource on our machine. No packet from the network can cause these codes, so they are platform faults in
 * every stage.
 */
const shortages = new Set([
  // The process has the maximum of open files.
  'EMFILE',
  // The machine has the maximum of open files.
  'ENFILE',
  // There is no memory for a socket or for the data.
  'ENOMEM',
  // There is no buffer space in the kernel.
  'ENOBUFS',
]);

/**
 * Our machine refuses to connect. These codes are platform faults only in the stage `begin`, because the network can
 * cause them later: Linux reports an ICMP response of a router near the receiver as ENETUNREACH or EHOSTUNREACH, and
 * over IPv6 also as EACCES. If they were platform faults in every stage, a receiver could prevent its failures from
 * being counted.
 */
const localErrors = new Set([
  // There is no route: our network is down or not configured.
  'ENETUNREACH',
  // A local route marks the destination as unreachable.
  'EHOSTUNREACH',
  // A local route discards the data.
  'EINVAL',
  // The interface is down.
  'ENETDOWN',
  // A local route forbids it.
  'EACCES',
  // A local policy forbids it.
  'EPERM',
  // All local ports are in use, or there is no local address.
  'EADDRNOTAVAIL',
]);

/** The resolver failed, which shows nothing about the host. `EAI_*` are codes of the system's resolver. */
const resolverErrors = new Set([
  'ECONNREFUSED',
  'ETIMEOUT',
  'ETIMEDOUT',
  'ESERVFAIL',
  'EREFUSED',
  'ECANCELLED',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_MEMORY',
  'EAI_SYSTEM',
]);

const byCode: Partial<Record<string, Row>> = {
  ENOTFOUND: { code: 'dns_error', message: 'The host name does not exist.' },
  ENODATA: { code: 'dns_error', message: 'The host name has no address.' },
  ECONNREFUSED: { code: 'connect_error', message: 'The connection was refused.' },
  ENETUNREACH: { code: 'connect_error', message: 'The network of the host is unreachable.' },
  EHOSTUNREACH: { code: 'connect_error', message: 'The host is unreachable.' },
  ETIMEDOUT: { code: 'timeout', message: 'The connection timed out.' },
  CERT_HAS_EXPIRED: { code: 'tls_error', message: 'The TLS certificate has expired.' },
  CERT_NOT_YET_VALID: { code: 'tls_error', message: 'The TLS certificate is not valid yet.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { code: 'tls_error', message: 'The TLS certificate is self-signed.' },
  SELF_SIGNED_CERT_IN_CHAIN: { code: 'tls_error', message: 'The TLS certificate chain ends in an unknown root.' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    code: 'tls_error',
    message: 'The TLS certificate cannot be verified. Does the server send its intermediate certificates?',
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    code: 'tls_error',
    message: 'The issuer of the TLS certificate is unknown. Does the server send its intermediate certificates?',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: { code: 'tls_error', message: 'The TLS certificate is for another host name.' },
  EPROTO: { code: 'tls_error', message: 'The TLS connection failed.' },
  HPE_HEADER_OVERFLOW: {
    code: 'protocol_error',
    message: `The response headers are larger than ${limits.responseHeaderBytes / 1_024} KiB.`,
  },
};

/**
 * Converts an error of the system, the resolver or the peer to a failure with a public message. The original error is
 * the cause, for the log.
 */
export function sendFailure(error: unknown, stage: Stage): SendFailure {
  if (error instanceof SendFailure) return error;
  const code = codeOf(error);
  const { code: errorCode, message, platformFault } = rowOf(code, stage);
  return new SendFailure(errorCode, message, { platformFault: platformFault === true, cause: error });
}

function rowOf(code: string, stage: Stage): Row {
  if (isPlatformFault(code, stage)) {
    return { code: byStage[stage].code, message: 'A fault on our side prevented sending.', platformFault: true };
  }
  const known = byCode[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return { code: 'protocol_error', message: 'The response is not valid HTTP/1.1.' };
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return byStage.secure;
  if (stage === 'resolve' && isPlatformBug(code)) return platformBug;
  return byStage[stage];
}

/**
 * Before the network can respond, all refusals of our machine are platform faults; later only codes that no receiver
 * can cause.
 */
function isPlatformFault(code: string, stage: Stage): boolean {
  if (shortages.has(code)) return true;
  if (stage === 'begin') return localErrors.has(code);
  return stage === 'resolve' && (localErrors.has(code) || resolverErrors.has(code));
}

/** An error without a code is not one of the resolver, and neither is a call that Node refuses. */
function isPlatformBug(code: string): boolean {
  return code === '' || code.startsWith('ERR_INVALID_');
}

/** Whether our machine lacks a resource. */
export function isShortage(error: unknown): boolean {
  return shortages.has(codeOf(error));
}

/** An exception of our own code: stages throw errors of others as `SendFailure`. */
export function unexpectedFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  return new SendFailure(platformBug.code, platformBug.message, { platformFault: true, cause: error });
}

/** An error with a code, as Node and the system create it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The `code` of a system error, or "". */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const unfinished: Record<Stage, string> = {
  resolve: 'the host name was not resolved',
  begin: 'no connection was begun',
  connect: 'the connection was not accepted',
  secure: 'the TLS handshake was not completed',
  exchange: 'the response headers were not complete',
};

/** The deadline passed during a stage. */
export function timeoutFailure(stage: Stage, timeoutMs: number): SendFailure {
  return new SendFailure('timeout', `Within ${timeoutMs / 1_000} seconds ${unfinished[stage]}.`);
}
