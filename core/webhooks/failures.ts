/** Why an attempt got no answer: the closed set of decisions §6 in public words, and whose fault it was. */
import type { DeliveryErrorCode } from '../../contract/resources.ts';

export type SendErrorCode = Exclude<DeliveryErrorCode, 'http_status' | 'webhook_disabled'>;

/** What an attempt is doing, in this order. */
export type Stage = 'resolve' | 'connect' | 'secure' | 'exchange';

/** Thrown inside the sender and turned into an outcome at its door. `message` is shown to the integrator. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly errorCode: SendErrorCode;
  /** A fault of our own side, which is never charged to the receiver (decisions §6). */
  readonly ours: boolean;

  constructor(errorCode: SendErrorCode, message: string, extras: { ours?: boolean; cause?: unknown } = {}) {
    super(message, { cause: extras.cause });
    this.errorCode = errorCode;
    this.ours = extras.ours ?? false;
  }
}

interface Row {
  readonly code: SendErrorCode;
  readonly message: string;
  readonly ours?: true;
}

/** When no code says more. */
const byStage: Record<Stage, Row> = {
  resolve: { code: 'dns_error', message: 'The host name could not be resolved.' },
  connect: { code: 'connect_error', message: 'The connection could not be established.' },
  secure: { code: 'tls_error', message: 'The TLS handshake failed.' },
  exchange: {
    code: 'connect_error',
    message: 'The receiver closed the connection before a complete response head had arrived.',
  },
};

/** Out of files, memory, ports or network: whatever the stage, this is our machine. */
const ourTrouble = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'ENETDOWN',
  'ENETUNREACH',
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
  HPE_HEADER_OVERFLOW: { code: 'protocol_error', message: 'The response head is larger than 16 KiB.' },
};

/** Any error that a stage can meet, in public words. The original stays as the cause, for the log. */
export function sendFailure(error: unknown, stage: Stage): SendFailure {
  if (error instanceof SendFailure) return error;
  const code = codeOf(error);
  const { code: errorCode, message, ours } = rowOf(code, stage);
  return new SendFailure(errorCode, message, { ours: ours === true, cause: error });
}

function rowOf(code: string, stage: Stage): Row {
  if (ourTrouble.has(code) || (stage === 'resolve' && resolverTrouble.has(code))) {
    return { code: byStage[stage].code, message: 'Sending is disturbed on our side.', ours: true };
  }
  const known = byCode[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return { code: 'protocol_error', message: 'The response is not valid HTTP/1.1.' };
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return byStage.secure;
  if (stage !== 'secure' && isOurBug(code))
    return { code: 'connect_error', message: 'Sending failed on our side.', ours: true };
  return byStage[stage];
}

/** An error without a code is none of the network's, nor is a call that Node refuses. */
function isOurBug(code: string): boolean {
  return code === '' || code.startsWith('ERR_INVALID_') || code.startsWith('ERR_HTTP_');
}

/** The `code` of a system error, or "". */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const unfinished: Record<Stage, string> = {
  resolve: 'the host name was not resolved',
  connect: 'the connection was not accepted',
  secure: 'the TLS handshake was not completed',
  exchange: 'no complete response head arrived',
};

/** The deadline passed during a stage. */
export function timeoutFailure(stage: Stage, timeoutMs: number): SendFailure {
  return new SendFailure('timeout', `Within ${timeoutMs / 1_000} seconds ${unfinished[stage]}.`);
}
