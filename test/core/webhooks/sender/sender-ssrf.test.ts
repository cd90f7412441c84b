import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { isPublicAddress, isSameAddress } from '../../../../core/webhooks/sender/addresses.ts';
import type { Connector } from '../../../../core/webhooks/sender/dial.ts';
import type { Resolver } from '../../../../core/webhooks/sender/resolve.ts';
import type { SenderParts } from '../../../../core/webhooks/sender/send.ts';
import { forbiddenAddresses, forbiddenHosts, publicAddresses, publicHosts } from './forbidden-targets.ts';
import { ok, post as postTo, rawReceiver, responds } from './receivers.ts';

const loopbackSpellings = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A sender whose names resolve to these responses, one after the other, and whose connections are counted. */
async function senderWithNames(...answers: string[][]) {
  const trap = await rawReceiver((socket) => socket.once('data', () => socket.end(ok)));
  /** The addresses that the sender dialled. Each is diverted to the trap, so that nothing leaves this machine. */
  const dialled: string[] = [];
  const resolved: string[] = [];
  const connector: Connector = (address) => {
    dialled.push(address);
    return connect({ host: '127.0.0.1', port: trap.port });
  };
  const resolver: Resolver = async (host) => {
    resolved.push(host);
    return answers[Math.min(resolved.length, answers.length) - 1] ?? [];
  };
  return { trap, dialled, resolved, parts: { connector, resolver, allowLoopback: false } };
}

const post = (url: string, parts: SenderParts) => postTo(url, undefined, parts);

const refused = { kind: 'failed', errorCode: 'target_not_allowed', platformFault: false };
const notPublic = { ...refused, message: 'The targetUrl must point to a host that has only public addresses.' };

test.each([
  ['in the cloud', false],
  ['in a local run', true],
] as const)(
  'No webhook message is sent to a host with an internal address in its DNS answer, even among public addresses (%s)',
  async (_, allowLoopback) => {
    const { trap, dialled, parts } = await senderWithNames();
    const name = 'hooks.example.com';
    const urls = [`https://${name}/`, `https://${name}:${trap.port}/`, `http://${name}:${trap.port}/`];
    for (const address of forbiddenAddresses) {
      for (const answer of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
        const resolver: Resolver = async () => answer;
        for (const url of urls) {
          expect(await post(url, { ...parts, resolver, allowLoopback }), address).toMatchObject(refused);
        }
      }
      expect([dialled.length, trap.connections()], address).toEqual([0, 0]);
    }
  },
);

test.each([
  ['in the cloud', false],
  ['in a local run, except for three spellings of loopback', true],
] as const)('No internal address in a webhook URL is contacted, in any spelling (%s)', async (_, allowLoopback) => {
  expect(new Set([...forbiddenAddresses, ...forbiddenHosts]).size).toBeGreaterThanOrEqual(400);
  const { trap, dialled, resolved, parts } = await senderWithNames(['93.184.216.34']);
  for (const host of forbiddenHosts) {
    if (allowLoopback && loopbackSpellings.has(URL.parse(`http://${host}/`)?.hostname ?? '')) continue;
    const authorities = [host, `${host}:${trap.port}`];
    for (const url of authorities.flatMap((authority) => [`https://${authority}/`, `http://${authority}/`])) {
      expect(await post(url, { ...parts, allowLoopback }), url).toMatchObject(refused);
    }
  }
  expect([dialled.length, resolved.length, trap.connections()]).toEqual([0, 0, 0]);
});

test('A webhook message is sent to a host that DNS resolves to a public address', async () => {
  for (const address of publicAddresses) {
    const { dialled, parts } = await senderWithNames([address]);
    await post('https://hooks.example.com/', parts);
    expect(dialled).toEqual([address]);
  }
});

test('A public host name of any form, such as 10.com or bücher.de, receives a webhook message at its resolved address', async () => {
  for (const host of publicHosts) {
    const { dialled, resolved, parts } = await senderWithNames(['93.184.216.34']);
    await post(`https://${host}/`, parts);
    expect(resolved).toEqual([new URL(`https://${host}/`).hostname]);
    expect(dialled).toEqual(['93.184.216.34']);
  }
});

const rebinding = [['93.184.216.34'], ['127.0.0.1'], ['169.254.169.254']];

test('Each delivery attempt resolves the webhook host again, and connects to the address that was checked', async () => {
  const { dialled, resolved, parts } = await senderWithNames(...rebinding);
  await post('https://rebind.example.com/', parts);
  expect(resolved).toEqual(['rebind.example.com']);
  expect(await post('https://rebind.example.com/', parts)).toMatchObject(notPublic);
  expect(await post('https://rebind.example.com/', parts)).toMatchObject(notPublic);
  expect(dialled).toEqual(['93.184.216.34']);
});

test('If a connection to a webhook host reaches another address than the checked one, nothing is sent', async () => {
  let bytes = 0;
  const receiver = await rawReceiver((socket) => {
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
  });
  const { parts } = await senderWithNames(['93.184.216.34', '93.184.216.35']);
  const connector: Connector = () => connect({ host: '127.0.0.1', port: receiver.port });
  expect(await post('https://rebind.example.com/', { ...parts, connector })).toMatchObject(notPublic);
  await receiver.allClosed();
  expect([receiver.connections(), bytes]).toEqual([1, 0]);
});

test('Two spellings of one IP address count as the same address, and other addresses or names do not', () => {
  expect(isSameAddress('2606:4700::1111', '2606:4700:0:0:0:0:0:1111')).toBe(true);
  for (const other of ['::ffff:127.0.0.1', 'localhost']) {
    expect([isSameAddress('127.0.0.1', other), isSameAddress(other, '127.0.0.1')]).toEqual([false, false]);
  }
});

test('Negative control: if the name of a webhook host is resolved again after the check, an internal address is reached', async () => {
  const { trap, resolved, parts } = await senderWithNames(...rebinding);
  const resolve = async (host: string) => (await parts.resolver?.(host, new AbortController().signal)) ?? [];
  const naiveSend = async (url: URL) => {
    if (!(await resolve(url.hostname)).every(isPublicAddress)) throw new Error('refused');
    await new Promise<void>((done) => {
      const request = httpsRequest(url, {
        method: 'POST',
        lookup: (host, _, callback) => {
          void resolve(host).then(([address = '']) => callback(null, [{ address, family: 4 }]));
        },
      });
      request.on('error', () => done());
      request.end('{}');
    });
  };
  await naiveSend(new URL(`https://rebind.example.com:${trap.port}/`));
  expect(resolved).toHaveLength(2);
  expect(trap.connections()).toBe(1);
});

test.each([301, 302, 303, 307, 308])(
  'A redirect with status %i to an internal address is not followed',
  async (status) => {
    const { trap, parts } = await senderWithNames();
    for (const target of [`http://127.0.0.1:${trap.port}/`, `//localhost:${trap.port}/`, 'http://169.254.169.254/']) {
      const head = `HTTP/1.1 ${status} Moved\r\nLocation: ${target}\r\nRefresh: 0; url=${target}\r\nContent-Length: 0\r\n\r\n`;
      const receiver = await rawReceiver(responds(head));
      const outcome = await post(`http://127.0.0.1:${receiver.port}/`, { resolver: parts.resolver });
      expect(outcome).toMatchObject({ kind: 'response', status, body: '' });
      expect(receiver.connections()).toBe(1);
    }
    expect(trap.connections()).toBe(0);
  },
);
