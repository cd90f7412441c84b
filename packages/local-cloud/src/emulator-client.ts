/** Forwards calls to an emulator with an AWS JSON protocol, over keep-alive connections. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { localRegion } from './arn.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface EmulatorClient {
  raw(target: string, body: Buffer): Promise<RawAnswer>;
  close(): void;
}

/** Emulators check only the format of the signature; a constant one keeps all callers in the same database. */
const authorization =
  `AWS4-HMAC-SHA256 Credential=local/20240101/${localRegion}/dynamodb/aws4_request, ` +
  `SignedHeaders=host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}`;

const passedOn = new Set(['content-type', 'x-amz-crc32', 'x-amzn-requestid']);

export function emulatorClient(url: string): EmulatorClient {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== 'http:') throw new Error(`The DynamoDB endpoint ${url} must be an http URL.`);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    raw: (target, body) =>
      new Promise((resolve, reject) => {
        const outgoing = request(
          {
            agent,
            hostname,
            port,
            method: 'POST',
            path: '/',
            headers: {
              authorization,
              'content-length': body.length,
              'content-type': 'application/x-amz-json-1.0',
              'x-amz-date': '20240101T000000Z',
              'x-amz-target': target,
            },
          },
          (incoming) => {
            const status = incoming.statusCode ?? 500;
            const headers = Object.fromEntries(
              Object.entries(incoming.headers).flatMap(([name, value]) =>
                passedOn.has(name) && typeof value === 'string' ? [[name, value]] : [],
              ),
            );
            readAll(incoming).then((body) => resolve({ status, headers, body }), reject);
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}

export async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
