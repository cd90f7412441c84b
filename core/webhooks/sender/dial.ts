/** Opens a connection to an address that was checked, and to no other. */
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { isSameAddress } from './addresses.ts';
import type { SendAttempt } from './attempt.ts';
import { isShortage, SendFailure, type Stage, sendFailure, systemError } from './failures.ts';

/** Opens a connection to an address. Tests replace it. */
export type Connector = (address: string, port: number) => Socket;

/** How many addresses of a host an attempt tries at most. */
const addressesTried = 3;

const toAddress: Connector = (address, port) =>
  connect({
    host: address,
    port,
    noDelay: true,
    autoSelectFamily: false,
    lookup: () => {
      throw new Error('Only a checked address is connected to, never a name');
    },
  });

interface Dial {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Each address but the last has an equal share of this time; the last has the remaining time of the attempt. */
  readonly timeoutMs: number;
  readonly connector?: Connector | undefined;
}

/** Tries the addresses one after the other. Throws the failure of the first, which is the most useful. */
export async function dial(attempt: SendAttempt, target: Dial): Promise<Socket> {
  const { addresses, port, timeoutMs, connector = toAddress } = target;
  const tried = addresses.slice(0, addressesTried);
  let firstFailure: SendFailure | undefined;
  for (const [i, address] of tried.entries()) {
    attempt.enter('begin');
    const socket = attempt.hold(connector(address, port));
    try {
      await begun(socket);
      attempt.enter('connect');
      const isLast = i === tried.length - 1;
      await connected(socket, isLast ? undefined : timeoutMs / tried.length);
      checkPeer(socket, address);
      return socket;
    } catch (error) {
      const failure = connectFailure(error, attempt.stage, address);
      if (failure.errorCode === 'target_not_allowed') throw failure;
      firstFailure ??= failure;
    }
  }
  throw firstFailure ?? new SendFailure('connect_error', 'The host has no address.');
}

/**
 * Waits until Node has called connect(2), at the latest in the next tick. Throws if our own machine refuses the call: a
 * failure before the event loop has polled the network cannot come from the network. The time decides, because codes
 * and messages are the same for errors of the network.
 */
async function begun(socket: Socket): Promise<void> {
  // Later errors of the socket are reported by the stage that uses it then.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => process.nextTick(resolve));
  if (socket.destroyed) throw socket.errored ?? systemError('ECONNRESET');
}

function connected(socket: Socket, timeoutMs: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const expire = () => socket.destroy(systemError('ETIMEDOUT'));
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
    const end = () => {
      clearTimeout(timer);
      reject(systemError('ECONNRESET'));
    };
    socket.once('error', reject);
    socket.once('close', end);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('close', end);
      resolve();
    });
  });
}

/** The last check before a byte is sent: the peer has the address that was checked. */
function checkPeer(socket: Socket, address: string): void {
  const peer = socket.remoteAddress;
  if (peer === undefined) throw systemError('ECONNRESET');
  if (isSameAddress(peer, address)) return;
  socket.destroy();
  throw new SendFailure('target_not_allowed', 'must point to a host that has only public addresses');
}

/**
 * A network without IPv6 can never reach a host that has only IPv6 addresses. This counts as a failure of the receiver;
 * otherwise the attempt would be repeated for ever.
 */
function connectFailure(error: unknown, stage: Stage, address: string): SendFailure {
  const failure = sendFailure(error, stage);
  if (!failure.platformFault || !isIPv6(address) || isShortage(error)) return failure;
  return new SendFailure('connect_error', 'The host is unreachable over IPv6.', { cause: error });
}

let sharedContext: SecureContext | undefined;

/** Created once, because reading the trusted roots takes longer than a handshake. */
function defaultContext(): SecureContext {
  sharedContext ??= createSecureContext({ minVersion: 'TLSv1.2' });
  return sharedContext;
}

interface Handshake {
  readonly host: string;
  readonly secureContext?: SecureContext | undefined;
}

/** TLS over the open connection. `tls.connect` with a host would connect again, without the check. */
export function secure(
  attempt: SendAttempt,
  connection: Socket,
  { host, secureContext }: Handshake,
): Promise<TLSSocket> {
  attempt.enter('secure');
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({
      socket: connection,
      host,
      // An IP address, as in a local run, is not a valid server name (RFC 6066).
      ...(isIP(host) === 0 && { servername: host }),
      secureContext: secureContext ?? defaultContext(),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    socket.once('secureConnect', () => resolve(socket));
    socket.on('error', (error) => reject(sendFailure(error, 'secure')));
    socket.once('close', () =>
      reject(new SendFailure('tls_error', 'The receiver closed the connection during the TLS handshake.')),
    );
    attempt.hold(socket);
  });
}
