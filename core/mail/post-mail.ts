/**
 * Sends an email with Amazon SES. Only one operation of SES is needed, so the request is signed here instead of using
 * the SDK's client. An email is sent once, because SES cannot recognise a repetition.
 */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { env, mailEnv } from '../env.ts';
import { requestTimeoutMs } from '../time-left.ts';

export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type Post = (to: string, mail: Mail) => Promise<void>;

/** Amazon SES has responded that it does not send the email. */
export class MailRefused extends Error {}

/** Throws `MailRefused`, or another error if it is unclear whether the email was sent. */
export const postMail: Post = async (to, { subject, text, html }) => {
  const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const url = new URL('/v2/email/outbound-emails', mailEnv.endpoint());
  const body = JSON.stringify({
    FromEmailAddress: mailEnv.from(),
    ConfigurationSetName: mailEnv.configurationSet(),
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: content(subject), Body: { Text: content(text), Html: content(html) } } },
  });
  const signer = new SignatureV4({
    service: 'ses',
    region: mailEnv.region(),
    credentials: env.credentials(),
    sha256: Sha256,
  });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, 'content-type': 'application/json' },
    body,
  });
  const { host: _, ...sent } = headers;
  const response = await fetch(url, {
    method: 'POST',
    headers: sent,
    body,
    signal: AbortSignal.timeout(env.requestTimeoutMs() ?? requestTimeoutMs),
  });
  if (response.ok) return;
  const type = response.headers.get('x-amzn-errortype')?.split(':')[0] ?? '';
  // After an internal error, the email may have been sent.
  const isRefused = response.status < 500 || response.status === 503;
  throw new (isRefused ? MailRefused : Error)(`Amazon SES answered ${response.status} ${type}`);
};

/** The headers in the form that the signer needs. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytes(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('A hash cannot be reset');
  }
}

function bytes(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}
