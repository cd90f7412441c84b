/** A minimal DNS server on this machine (RFC 1035). */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { onTestFinished } from 'vitest';

const types = { A: 1, NS: 2, AAAA: 28 } as const;
const responseCodes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** Records by type, a response code, or no response. */
export type Answer = { [T in keyof typeof types]?: string[] } | keyof typeof responseCodes | 'silence';

/** Runs until the test ends. Returns its address and port. */
export async function nameServer(answer: (name: string) => Answer): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const response = respond(query, answer);
    if (response) socket.send(response, peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => socket[Symbol.asyncDispose]());
  return `127.0.0.1:${socket.address().port}`;
}

function respond(query: Buffer, answer: (name: string) => Answer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const result = answer(labels.join('.').toLowerCase());
  if (result === 'silence') return undefined;
  const code = typeof result === 'string' ? responseCodes[result] : 0;
  const records = typeof result === 'string' ? [] : recordsOf(result, type);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
}

function recordsOf(result: Exclude<Answer, string>, type: number): Buffer[] {
  const name = Object.entries(types).find(([, number]) => number === type)?.[0];
  const values = name === 'A' || name === 'AAAA' || name === 'NS' ? (result[name] ?? []) : [];
  return values.map((value) => {
    const data = name === 'NS' ? encodedName(value) : Buffer.from(ipaddr.parse(value).toByteArray());
    const head = Buffer.alloc(12);
    // The name is a pointer to the question; the class is IN, the TTL a minute.
    head.writeUInt16BE(0xc00c, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(60, 6);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
}

function encodedName(name: string): Buffer {
  const labels = name.split('.').map((label) => String.fromCharCode(label.length) + label);
  return Buffer.from(`${labels.join('')}\0`, 'latin1');
}
