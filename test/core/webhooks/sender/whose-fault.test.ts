/** Platform faults (docs/rules.md#platform-faults): they never count against a receiver, and no receiver can cause one. */
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { SendAttempt } from '../../../../core/webhooks/sender/attempt.ts';
import { type Connector, dial } from '../../../../core/webhooks/sender/dial.ts';
import { type SendFailure, type Stage, sendFailure } from '../../../../core/webhooks/sender/failures.ts';
import { send } from '../../../../core/webhooks/sender/send.ts';
import { refuses } from './receivers.ts';

const shortages = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS'];
const refusals = ['ENETUNREACH', 'EHOSTUNREACH', 'EINVAL', 'ENETDOWN', 'EACCES', 'EPERM', 'EADDRNOTAVAIL'];
/** Errors of Linux for a TCP connection, caused by a router or the peer (icmp_err_convert), and those of Node. */
const ofTheNetwork = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTDOWN', 'EMSGSIZE', 'ENONET', 'ENOPROTOOPT', 'EOPNOTSUPP', 'EPIPE', 'EPROTO'],
  'ETIMEDOUT',
];

const failing = (code: string) => Object.assign(new Error(code), { code });

/** The failure exists when connect(2) returns. */
const atOnce =
  (code: string): Connector =>
  () =>
    refuses(code);

/** The failure comes from the network: in the event loop at the earliest. */
const later =
  (code: string): Connector =>
  () => {
    const socket = new Socket();
    setImmediate(() => socket.destroy(failing(code)));
    return socket;
  };

/** A real connect(2) to an address without TCP connections, which the kernel always refuses. */
const broadcast = '255.255.255.255';

async function dialFailure(address: string, connector?: Connector): Promise<SendFailure> {
  const attempt = new SendAttempt(20_000);
  try {
    await dial(attempt, { addresses: [address], port: 443, timeoutMs: 10_000, connector });
  } catch (error) {
    return error as SendFailure;
  } finally {
    attempt.end();
  }
  throw new Error('connected');
}

test('A webhook connection that the operating system of the sender refuses to open counts as a fault of the platform', async () => {
  expect(await dialFailure(broadcast)).toMatchObject({ errorCode: 'connect_error', platformFault: true });
});

const [ipv4, ipv6] = ['93.184.216.34', '2606:4700::1111'];
const ours = { errorCode: 'connect_error', platformFault: true };
const notOurs = { ...ours, platformFault: false };
const unreachable = { ...notOurs, message: 'The host is unreachable over IPv6.' };

test.each([
  ...refusals.flatMap((code) => [
    [code, 'immediately over IPv4', 'a fault', ipv4, atOnce, ours] as const,
    [code, 'later over IPv4', 'no fault', ipv4, later, notOurs] as const,
    [code, 'immediately over IPv6', 'no fault', ipv6, atOnce, unreachable] as const,
    [code, 'later over IPv6', 'no fault', ipv6, later, notOurs] as const,
  ]),
  ...shortages.flatMap((code) => [
    [code, 'immediately over IPv4', 'a fault', ipv4, atOnce, ours] as const,
    [code, 'later over IPv4', 'a fault', ipv4, later, ours] as const,
    [code, 'immediately over IPv6', 'a fault', ipv6, atOnce, ours] as const,
    [code, 'later over IPv6', 'a fault', ipv6, later, ours] as const,
  ]),
])(
  'The code and moment of a connection error decide whether it counts as a fault of the platform (%s %s: %s)',
  async (code, _, __, address, connector, expected) => {
    expect(await dialFailure(address, connector(code))).toMatchObject(expected);
  },
);

test('Negative control: judged by the error code alone, an unreachable network of the receiver is a fault of the platform', async () => {
  const byCodeAlone = (connector: Connector) =>
    new Promise<boolean>((resolve) => {
      connector('93.184.216.34', 443).once('error', (error) => resolve(sendFailure(error, 'begin').platformFault));
    });
  expect(await byCodeAlone(atOnce('ENETUNREACH'))).toBe(true);
  expect(await byCodeAlone(later('ENETUNREACH'))).toBe(true);
});

const phases = {
  resolve: 'during the DNS query',
  begin: 'before the connection',
  connect: 'while connecting',
  secure: 'during the TLS handshake',
  exchange: 'during the HTTP exchange',
} as const satisfies Partial<Record<Stage, string>>;
const stages = (['connect', 'secure', 'exchange'] as const).map((stage) => [phases[stage], stage] as const);

test.each(stages)(
  'A lack of system resources on the sending machine counts as a fault of the platform, and a network error does not (%s)',
  (_, stage) => {
    for (const code of [...refusals, ...ofTheNetwork, '', 'ERR_INVALID_CHAR', 'ERR_HTTP_HEADERS_SENT', 'EANYTHING']) {
      expect(sendFailure(failing(code), stage).platformFault, code).toBe(false);
    }
    expect(sendFailure(new Error('without a code'), stage).platformFault).toBe(false);
    const ours = { message: 'A fault on our side prevented sending.', platformFault: true };
    for (const code of shortages) expect(sendFailure(failing(code), stage), code).toMatchObject(ours);
  },
);

test("An error that the platform's own code throws during a delivery attempt counts as a fault of the platform", async () => {
  const connector: Connector = () => {
    throw new TypeError('a bug');
  };
  const resolver = async () => ['93.184.216.34'];
  const outcome = await send({ url: 'https://hooks.example.com/', headers: {}, body: '' }, { connector, resolver });
  const message = 'Sending failed on our side.';
  expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'connect_error', message, platformFault: true });
});

const received = [
  ['ECONNREFUSED', 'connect', 'connect_error'],
  ['ETIMEDOUT', 'connect', 'timeout'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'secure', 'tls_error'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'secure', 'tls_error'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'secure', 'tls_error'],
  ['EPROTO', 'secure', 'tls_error'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'secure', 'tls_error'],
  ['HPE_HEADER_OVERFLOW', 'exchange', 'protocol_error'],
  ['ERR_SSL_DECRYPTION_FAILED', 'exchange', 'tls_error'],
  ['ECONNRESET', 'exchange', 'connect_error'],
  ['EBADNAME', 'resolve', 'dns_error'],
  ['EANYTHING', 'begin', 'connect_error'],
  ['EANYTHING', 'connect', 'connect_error'],
  ['EANYTHING', 'secure', 'tls_error'],
] as const;
test.each(received.map(([code, stage, errorCode]) => [code, phases[stage], errorCode, stage] as const))(
  'An error of the network, TLS or the protocol counts against the webhook receiver (%s %s: recorded as %s)',
  (code, _, errorCode, stage) => {
    const message = expect.stringMatching(/^The .+[.?]$/);
    expect(sendFailure(failing(code), stage)).toMatchObject({ errorCode, message, platformFault: false });
  },
);

test.each([
  ['without a code', new Error('undefined is not a function')],
  ['of a call that Node refuses', failing('ERR_INVALID_ARG_TYPE')],
])('An unexpected error in a DNS query is a bug of the platform, not of the receiver (an error %s)', (_, error) => {
  const message = 'Sending failed on our side.';
  expect(sendFailure(error, 'resolve')).toMatchObject({ errorCode: 'connect_error', message, platformFault: true });
  expect(sendFailure(error, 'exchange')).toMatchObject({ platformFault: false });
});
