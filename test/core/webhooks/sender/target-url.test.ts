import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { SendFailure } from '../../../../core/webhooks/sender/failures.ts';
import { acceptTargetUrl, checkTargetUrl } from '../../../../core/webhooks/sender/target-url.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function refusal(text: string, allowLoopback = false): string | undefined {
  try {
    checkTargetUrl(text, allowLoopback);
    return undefined;
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error;
    expect(error).toMatchObject({ errorCode: 'target_not_allowed', platformFault: false });
    return error.message;
  }
}

test.each([
  ['in a deployment', 'https://example.com', false],
  ['in a deployment', 'https://example.com:1024/', false],
  ['in a deployment', 'https://example.com:65535/', false],
  ['in a deployment', 'https://example.com/a://b@c', false],
  ['in a local run', 'http://localhost:3000/', true],
  ['in a local run', 'http://127.0.0.1:1024/hook', true],
  ['in a local run', 'http://[::1]:65535/', true],
  ['in a local run', 'https://localhost:8443/', true],
])('A webhook URL with an allowed scheme, host and port is accepted (%s: %j)', (_, url, allowLoopback) => {
  expect(refusal(url, allowLoopback)).toBeUndefined();
});

/** Text as JSON, without the character that would reverse the rest of the title. */
const shown = (text: string) =>
  text === '' ? 'an empty URL' : `the URL ${JSON.stringify(text)}`.replace('\u202e', '\\u202e');

const refusals = [
  ['https://example.com:1023/', 'must use port 443 or a port of at least 1024'],
  ['https://example.com:80/', 'must use port 443 or a port of at least 1024'],
  ['https://example.com:65536/', 'must be a valid URL'],
  ['https://:secret@example.com/', 'must not contain a user name or password'],
  ['https://:@example.com/', 'must not contain a user name or password'],
  ['https:example.com', 'must be an https URL'],
  ['', 'must be an https URL'],
  ['javascript:alert(1)', 'must be an https URL'],
  [' https://example.com/', 'must not contain spaces, backslashes or control characters'],
  ['https:\\\\example.com', 'must not contain spaces, backslashes or control characters'],
  ['https://example.com/\u0000', 'must not contain spaces, backslashes or control characters'],
  ['https://example.com/\u202e', 'must not contain spaces, backslashes or control characters'],
  ['https://10.0.0.1/', 'must name its host by a domain name, not by an address'],
  ['https://[2606:4700:4700::1111]/', 'must name its host by a domain name, not by an address'],
  ['https://example.1com/', 'must have a valid host name'],
  ['https://0xa.1:8443/', 'must name its host by a domain name, not by an address'],
  ['https://localhost/', 'must point to a public host'],
  ['https://example.com./', 'must not end its host name with a dot'],
] as const;
const refusalsOfLocalRun = [
  ['http://localhost/', 'must use a port of at least 1024 on this machine'],
  ['http://localhost:22/', 'must use a port of at least 1024 on this machine'],
  ['https://localhost/', 'must use a port of at least 1024 on this machine'],
  ['http://user@localhost:3000/', 'must not contain a user name or password'],
  ['http://example.com:3000/', 'must be an https URL'],
  ['ftp://localhost:3000/http://', 'must be an https URL'],
] as const;
test.each([
  ...refusals.map(([text, reason]) => ['in a deployment', shown(text), reason, text, false] as const),
  ...refusalsOfLocalRun.map(([text, reason]) => ['in a local run', shown(text), reason, text, true] as const),
])('An invalid webhook URL is refused with the reason (%s: %s %s)', (_, __, reason, text, allowLoopback) => {
  expect(refusal(text, allowLoopback)).toBe(reason);
});

test('The target URL of a webhook is refused if it has more than 2048 characters in the encoded form that is stored', () => {
  const url = 'https://example.com/';
  expect(refusal(url.padEnd(2_048, 'a'))).toBeUndefined();
  expect(refusal(url.padEnd(2_049, 'a'))).toBe('must be at most 2048 characters long after percent-encoding');
  // Each letter is stored as six characters.
  expect(refusal(url.padEnd(358, 'ā'))).toBeUndefined();
  expect(refusal(url.padEnd(359, 'ā'))).toBe('must be at most 2048 characters long after percent-encoding');
});

test('The target URL of a webhook is refused if its host name has more than 253 characters', () => {
  const ofLength = (length: number) => `https://${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(length - 196)}.com/`;
  expect(refusal(ofLength(253))).toBeUndefined();
  expect(refusal(ofLength(254))).toBe('must have a valid host name');
});

test('A webhook URL with a loopback address is refused unless an environment variable of a local run allows it', () => {
  vi.stubEnv('ALLOW_LOOPBACK_TARGETS', '');
  expect(() => checkTargetUrl('http://127.0.0.1:3000/')).toThrow('must point to a public host');
  vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
  expect(checkTargetUrl('http://127.0.0.1:3000/').port).toBe('3000');
});

const answers = (...addresses: string[]) => vi.fn(async () => addresses);
const invalid = (message: string) => ({
  code: 'validation_failed',
  extras: { details: [{ path: 'targetUrl', message }] },
});
const rejects = (code: string) => async () => Promise.reject(Object.assign(new Error(code), { code }));

test('A webhook URL whose host has only public addresses is accepted unchanged', async () => {
  const url = await acceptTargetUrl('https://example.com/hook?a=1', answers('93.184.216.34', '2606:4700::1111'));
  expect(url.href).toBe('https://example.com/hook?a=1');
});

test('A webhook URL that is not an https URL is refused without a DNS query', async () => {
  const resolver = answers('93.184.216.34');
  await expect(acceptTargetUrl('http://example.com/', resolver)).rejects.toMatchObject(invalid('must be an https URL'));
  expect(resolver).not.toHaveBeenCalled();
});

test.each([
  [
    'an address of its host is not public',
    answers('93.184.216.34', '10.1.2.3'),
    invalid('must point to a host that has only public addresses'),
  ],
  ['its host does not exist', rejects('ENOTFOUND'), invalid('must have a host name that can be resolved')],
])(
  'A webhook URL is refused with an error that gives the reason, but no IP address, if %s',
  async (_, resolver, expected) => {
    await expect(acceptTargetUrl('https://example.com/', resolver)).rejects.toMatchObject(expected);
  },
);

test('If DNS does not work, a webhook URL is refused with an error that asks to try again in five seconds', async () => {
  await expect(acceptTargetUrl('https://example.com/', rejects('EAI_AGAIN'))).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    extras: { retryAfter: 5 },
  });
});

test('A webhook URL whose host cannot be resolved within a second is accepted', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let accepted: URL | undefined;
  void acceptTargetUrl('https://example.com/', () => new Promise(() => {})).then((url) => {
    accepted = url;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(accepted).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(accepted?.href).toBe('https://example.com/');
});

test('In a local run, a webhook URL with a loopback address causes no DNS query', async () => {
  const resolver = answers('93.184.216.34');
  vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
  await acceptTargetUrl('http://localhost:3000/', resolver);
  expect(resolver).not.toHaveBeenCalled();
});
