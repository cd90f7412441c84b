/**
 * Compressed text for items that are read and written often, such as the bodies of messages: a format byte, then the
 * deflated text (RFC 1951). Decompression returns exactly the same bytes.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const deflated = 1;

export function compressText(text: string): Uint8Array {
  const bytes = deflateRawSync(text);
  // A copy, because the result of zlib is part of a 64 KB buffer, which would stay in memory as long as the few hundred
  // bytes.
  const packed = new Uint8Array(1 + bytes.length);
  packed[0] = deflated;
  packed.set(bytes, 1);
  return packed;
}

/** Throws for an unknown format. */
export function decompressText(packed: Uint8Array): string {
  if (packed[0] !== deflated) throw new Error(`Text is stored in an unknown format: ${packed[0]}`);
  return inflateRawSync(packed.subarray(1)).toString();
}
