import { expect, test } from 'vitest';
import { dnsResolver, type Resolver, resolveTarget, sharing } from '../../../../core/webhooks/sender/resolve.ts';
import { type Answer, nameServer } from './name-server.ts';

const timeoutMs = 200;
const host = 'hooks.example.com';

const [ipv4, ipv6] = ['93.184.216.34', '2606:4700::1111'];

test('The addresses of a webhook host are tried IPv4 first and without duplicates', async () => {
  const answer = async () => [ipv6, ipv4, ipv6, '8.8.8.8'];
  expect(await resolveTarget(host, timeoutMs, answer)).toEqual([ipv4, '8.8.8.8', ipv6]);
});

test.each(['EAI_AGAIN', 'ECONNREFUSED', 'ENETUNREACH', 'EMFILE'])(
  'A delivery attempt whose DNS query fails with %s counts as a fault of the platform',
  async (code) => {
    const failing = () => Promise.reject(Object.assign(new Error(code), { code }));
    const failure = { errorCode: 'dns_error', platformFault: true };
    await expect(resolveTarget(host, timeoutMs, failing)).rejects.toMatchObject(failure);
  },
);

test('A delivery attempt fails with `dns_error` if the resolver returns no address of the host', async () => {
  const failure = { errorCode: 'dns_error', message: 'The host name has no address.', platformFault: false };
  await expect(resolveTarget(host, timeoutMs, async () => [])).rejects.toMatchObject(failure);
});

/** Asks a name server with these responses for the host and the root. */
async function ask(forHost: Answer, forRoot: Answer = { NS: ['a.root-servers.net'] }) {
  const server = await nameServer((name) => (name === host ? forHost : name === '' ? forRoot : 'NXDOMAIN'));
  // A busy machine must not turn a response into silence.
  const timeoutMs = forHost === 'silence' ? 100 : 5_000;
  return resolveTarget(host, 20_000, dnsResolver({ servers: [server], timeoutMs }));
}

test('A DNS query for a webhook host asks for both IPv4 and IPv6 addresses', async () => {
  expect(await ask({ A: [ipv4], AAAA: [ipv6] })).toEqual([ipv4, ipv6]);
  expect(await ask({ A: [ipv4] })).toEqual([ipv4]);
  expect(await ask({ AAAA: [ipv6] })).toEqual([ipv6]);
});

test.each<[string, Answer, Answer | undefined, string, boolean]>([
  ['the host name does not exist', 'NXDOMAIN', undefined, 'The host name does not exist.', false],
  ['the host name has no address', {}, undefined, 'The host name has no address.', false],
  ["the host's name servers fail", 'SERVFAIL', undefined, 'The name servers of the host do not answer.', false],
  ["the host's name servers do not answer", 'silence', undefined, 'The name servers of the host do not answer.', false],
  ["the platform's resolver fails", 'SERVFAIL', 'SERVFAIL', 'A fault on our side prevented sending.', true],
  ["the platform's resolver refuses the query", 'REFUSED', 'REFUSED', 'A fault on our side prevented sending.', true],
  ["the platform's resolver does not answer", 'silence', 'silence', 'A fault on our side prevented sending.', true],
])(
  'The error message of a delivery attempt whose DNS query fails states the cause (%s)',
  async (_, forHost, forRoot, message, platformFault) => {
    await expect(ask(forHost, forRoot)).rejects.toMatchObject({ errorCode: 'dns_error', message, platformFault });
  },
);

/** Counts questions, and answers each when the test asks for it. */
function held() {
  const open: { readonly host: string; readonly signal: AbortSignal; answer(...addresses: string[]): void }[] = [];
  const resolver: Resolver = (name, signal) =>
    new Promise((resolve) => open.push({ host: name, signal, answer: (...addresses) => resolve(addresses) }));
  return { open, resolver };
}
const hundred = (resolver: Resolver) =>
  Promise.allSettled(Array.from({ length: 100 }, () => resolveTarget(host, 10_000, resolver)));

test('A hundred concurrent delivery attempts to one host cause one DNS query, and each attempt checks the resolved address', async () => {
  for (const [address, status] of [
    ['93.184.216.34', 'fulfilled'],
    ['169.254.169.254', 'rejected'],
  ] as const) {
    const { open, resolver } = held();
    const all = hundred(sharing(resolver));
    expect(open).toHaveLength(1);
    open[0]?.answer(address);
    expect(new Set((await all).map((one) => one.status))).toEqual(new Set([status]));
  }
});

test('Negative control: if delivery attempts do not share DNS queries, a hundred attempts cause a hundred DNS queries', async () => {
  const { open, resolver } = held();
  const all = hundred(resolver);
  expect(open).toHaveLength(100);
  for (const { answer } of open) answer('93.184.216.34');
  await all;
});

test('A DNS answer is not reused for a later delivery attempt, nor for another host', async () => {
  const { open, resolver } = held();
  const shared = sharing(resolver);
  const first = resolveTarget(host, 10_000, shared);
  open[0]?.answer('93.184.216.34');
  await first;
  const later = resolveTarget(host, 10_000, shared);
  const other = resolveTarget('other.example.com', 10_000, shared);
  expect(open.map((one) => one.host)).toEqual([host, host, 'other.example.com']);
  open[1]?.answer('8.8.8.8');
  open[2]?.answer('8.8.4.4');
  expect(await Promise.all([later, other])).toEqual([['8.8.8.8'], ['8.8.4.4']]);
});

test('A DNS query that several delivery attempts share is cancelled only when none of these attempts waits any more', async () => {
  const { open, resolver } = held();
  const shared = sharing(resolver);
  const [one, two] = [new AbortController(), new AbortController()];
  void shared(host, one.signal);
  void shared(host, two.signal);
  one.abort();
  expect(open[0]?.signal.aborted).toBe(false);
  two.abort();
  expect(open[0]?.signal.aborted).toBe(true);
  void shared(host, new AbortController().signal);
  expect(open).toHaveLength(2);
});
