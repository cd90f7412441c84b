/**
 * Resolves a host name to addresses to which a connection is allowed. Concurrent attempts share a DNS query; each
 * checks every address of the response.
 */
import { Resolver as DnsResolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { codeOf, SendFailure, sendFailure, systemError } from './failures.ts';

/** Returns all addresses of a host. The signal aborts when no attempt waits any longer, also after the response. */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * With the query for the root zone this is less than half of an attempt, so that slow name servers result in
 * `dns_error`.
 */
const queriesTimeoutMs = 3_000;
const rootTimeoutMs = 1_000;

/** DNS results that depend on the name. All others may be caused by our resolver. */
const aboutTheName = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Returns every address of the host, IPv4 first, within `timeoutMs`. If one address is not public, the host is refused,
 * because a mixed response is typical of DNS rebinding. Throws `SendFailure`.
 */
export async function resolveTarget(
  host: string,
  timeoutMs: number,
  resolver: Resolver = systemResolver,
): Promise<readonly string[]> {
  const addresses = await answerOf(resolver, host, timeoutMs);
  if (addresses.length === 0) throw sendFailure(systemError('ENODATA'), 'resolve');
  if (!addresses.every(isPublicAddress)) {
    throw new SendFailure('target_not_allowed', 'must point to a host that has only public addresses');
  }
  return [...new Set(addresses)].sort((a, b) => Number(isIPv4(b)) - Number(isIPv4(a)));
}

async function answerOf(resolver: Resolver, host: string, timeoutMs: number): Promise<readonly string[]> {
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(systemError('ETIMEOUT')), timeoutMs);
  });
  try {
    return await Promise.race([resolver(host, abandon.signal), silence]);
  } catch (error) {
    throw sendFailure(error, 'resolve');
  } finally {
    clearTimeout(timer);
    abandon.abort();
  }
}

interface DnsOptions {
  /** The name servers as `address:port`; by default those of the machine. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Queries name servers directly. `getaddrinfo` would read `/etc/hosts` and occupy one of the few threads of the process
 * for as long as a foreign name server takes.
 */
export function dnsResolver({ servers, timeoutMs = queriesTimeoutMs }: DnsOptions = {}): Resolver {
  return async (host, signal) => {
    const answers = await withResolver(servers, timeoutMs, signal, (dns) =>
      Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]),
    );
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    const unclear = errors.find((error) => !aboutTheName.has(codeOf(error)));
    if (!unclear) throw errors.find((error) => codeOf(error) !== 'ENODATA') ?? errors[0];
    // Broken name servers of the host cause timeouts and SERVFAIL, and so does a broken resolver of our network. A
    // query for the root, which every resolver can answer, distinguishes the two.
    if (!signal.aborted && (await withResolver(servers, rootTimeoutMs, signal, resolvesRoot))) {
      throw new SendFailure('dns_error', 'The name servers of the host do not answer.', { cause: unclear });
    }
    throw unclear;
  };
}

interface Question {
  readonly answer: Promise<readonly string[]>;
  readonly abandon: AbortController;
  waiting: number;
}

/**
 * Attempts that resolve the same host at the same time share one query. A batch has up to a hundred deliveries, often
 * to one host, and a network's resolver limits queries per second. No response is cached. The query is cancelled when
 * no attempt waits for it any longer.
 */
export function sharing(resolver: Resolver): Resolver {
  const questions = new Map<string, Question>();
  return (host, signal) => {
    const question = questions.get(host) ?? begin(host);
    question.waiting += 1;
    const leave = () => {
      question.waiting -= 1;
      if (question.waiting > 0) return;
      question.abandon.abort();
      questions.delete(host);
    };
    signal.addEventListener('abort', leave);
    return question.answer;
  };

  function begin(host: string): Question {
    const abandon = new AbortController();
    const question: Question = { answer: resolver(host, abandon.signal), abandon, waiting: 0 };
    questions.set(host, question);
    return question;
  }
}

const systemResolver: Resolver = sharing(dnsResolver());

async function withResolver<T>(
  servers: readonly string[] | undefined,
  timeoutMs: number,
  signal: AbortSignal,
  ask: (dns: DnsResolver) => Promise<T>,
): Promise<T> {
  const dns = new DnsResolver({ timeout: 1_000, tries: 2 });
  if (servers) dns.setServers(servers);
  const cancel = () => dns.cancel();
  const timer = setTimeout(cancel, timeoutMs);
  signal.addEventListener('abort', cancel);
  try {
    return await ask(dns);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

async function resolvesRoot(dns: DnsResolver): Promise<boolean> {
  try {
    await dns.resolveNs('.');
    return true;
  } catch (error) {
    return aboutTheName.has(codeOf(error));
  }
}
