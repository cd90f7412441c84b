/**
 * Why an attempt got no answer: a closed set, in public words (docs/rules.md#delivery-records), and whose fault it was.
 */

import type { DeliveryErrorCode } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';

export type SendErrorCode = Exclude<DeliveryErrorCode, 'http_status' | 'webhook_disabled'>;

/**
 * What an attempt is doing, in this order. `begin` asks our own machine for a connection and ends before the network can
 * say anything; what it says then belongs to `connect`.
 */
export type Stage = 'resolve' | 'begin' | 'connect' | 'secure' | 'exchange';

/** Thrown inside the sender and turned into an outcome where it ends. `message` is shown to the integrator. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly errorCode: SendErrorCode;
  /** A fault of our own side, which is never charged to the receiver (docs/rules.md#targets). */
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

/** When no code says more. */
const byStage: Record<Stage, Row> = {
  resolve: { code: 'dns_error', message: 'The host name could not be resolved.' },
  begin: { code: 'connect_error', message: 'The connection could not be established.' },
  connect: { code: 'connect_error', message: 'The connection could not be established.' },
  secure: { code: 'tls_error', message: 'The TLS handshake failed.' },
  exchange: {
    code: 'connect_error',
    message: 'The receiver closed the connection before a complete response head had arrived.',
  },
};

const platformBug: Row = { code: 'connect_error', message: 'Sending failed on our side.', platformFault: true };

/** Our machine is out of something: no packet of anybody's brings these about, so that they are ours in every stage. */
const shortages = new Set([
  // The process has as many files open as it may.
  'EMFILE',
  // The machine has.
  'ENFILE',
  // No memory for a socket or for what is sent.
  'ENOMEM',
  // No room for it in the kernel.
  'ENOBUFS',
]);

/**
 * Our machine does not even begin. Later the same codes are the network's: a router near the receiver answers a SYN with
 * ICMP, of which Linux makes ENETUNREACH or EHOSTUNREACH, and over IPv6 EACCES too. Were those ours, a receiver could keep
 * its deliveries from ever counting.
 */
const refusals = new Set([
  // No route: our network is down, or was never set up.
  'ENETUNREACH',
  // A route of ours says that nobody is to be reached there.
  'EHOSTUNREACH',
  // A route of ours swallows what is sent there.
  'EINVAL',
  // The interface is down.
  'ENETDOWN',
  // A route of ours forbids it.
  'EACCES',
  // A policy of ours forbids it.
  'EPERM',
  // Every local port is taken, or there is no local address to send from.
  'EADDRNOTAVAIL',
]);

/** The resolver did not do its work: that says nothing about the host. `EAI_*` are what the system's own resolver says. */
const resolverTrouble = new Set([
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
    message: `The response head is larger than ${limits.responseHeaderBytes / 1_024} KiB.`,
  },
};

/**
 * An error that a stage was given by the system, the resolver or the peer, in public words. The original stays as the
 * cause, for the log.
 */
export function sendFailure(error: unknown, stage: Stage): SendFailure {
  if (error instanceof SendFailure) return error;
  const code = codeOf(error);
  const { code: errorCode, message, platformFault } = rowOf(code, stage);
  return new SendFailure(errorCode, message, { platformFault: platformFault === true, cause: error });
}

function rowOf(code: string, stage: Stage): Row {
  if (isPlatformFault(code, stage)) {
    return { code: byStage[stage].code, message: 'Sending is disturbed on our side.', platformFault: true };
  }
  const known = byCode[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return { code: 'protocol_error', message: 'The response is not valid HTTP/1.1.' };
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return byStage.secure;
  if (stage === 'resolve' && isPlatformBug(code)) return platformBug;
  return byStage[stage];
}

/** Before the network is heard, what our machine says; afterwards, nothing that a receiver could bring about. */
function isPlatformFault(code: string, stage: Stage): boolean {
  if (shortages.has(code)) return true;
  if (stage === 'begin') return refusals.has(code);
  return stage === 'resolve' && (refusals.has(code) || resolverTrouble.has(code));
}

/** An error without a code is none of the resolver's, nor is a call that Node refuses. */
function isPlatformBug(code: string): boolean {
  return code === '' || code.startsWith('ERR_INVALID_');
}

/** Whether our machine is out of something. */
export function isShortage(error: unknown): boolean {
  return shortages.has(codeOf(error));
}

/** What no stage was given, but our own code threw: stages tell the errors of others as `SendFailure`. */
export function unexpectedFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  return new SendFailure(platformBug.code, platformBug.message, { platformFault: true, cause: error });
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
  exchange: 'no complete response head arrived',
};

/** The deadline passed during a stage. */
export function timeoutFailure(stage: Stage, timeoutMs: number): SendFailure {
  return new SendFailure('timeout', `Within ${timeoutMs / 1_000} seconds ${unfinished[stage]}.`);
}
