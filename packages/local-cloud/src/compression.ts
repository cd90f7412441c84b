/** Compresses text that is neither tiny nor huge for clients that accept it, as CloudFront does. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StoredFile } from './buckets.ts';

const leastBytes = 1_000;
const mostBytes = 10_000_000;
const compressible = /^(text\/|image\/svg|application\/(json|manifest))/;

/** The encodings in order of preference, with low levels, because the edge compresses while it sends. */
const encodings = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const;

type Encoding = keyof typeof encodings;

const done = new WeakMap<StoredFile, Map<Encoding, Promise<Buffer>>>();

export interface Encoded {
  readonly body: Buffer;
  readonly headers: { readonly etag: string; readonly [name: string]: string };
}

/** Returns the file in the best encoding of this `Accept-Encoding`. Each file is compressed once per encoding. */
export async function encoded(file: StoredFile, accepted: string): Promise<Encoded> {
  const { type, body, etag } = file;
  const name = (Object.keys(encodings) as Encoding[]).find((one) => accepts(accepted, one));
  if (!name || !compressible.test(type) || body.length < leastBytes || body.length > mostBytes) {
    return { body, headers: { etag } };
  }
  const of = done.get(file) ?? new Map<Encoding, Promise<Buffer>>();
  done.set(file, of);
  const compressed = of.get(name) ?? encodings[name](body);
  of.set(name, compressed);
  // The bytes differ from those in the bucket, so the entity tag is weak.
  return { body: await compressed, headers: { etag: `W/${etag}`, 'content-encoding': name, vary: 'Accept-Encoding' } };
}

/** A weight of 0 means that the client does not accept the encoding. */
function accepts(accepted: string, name: Encoding): boolean {
  return accepted.split(',').some((one) => {
    const [coding, weight = 'q=1'] = one.split(';').map((part) => part.trim());
    return coding === name && Number(weight.slice('q='.length)) > 0;
  });
}
