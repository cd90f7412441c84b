/**
 * Text as it is stored where much of it is read and written: a format byte, then the text deflated (RFC 1951). The bodies
 * of messages and the counts of a webhook are most of what a page of the log reads. What comes out is byte for byte what
 * went in.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const deflated = 1;

export function compressText(text: string): Uint8Array {
  const bytes = deflateRawSync(text);
  // Copied: what zlib gives lies in a buffer of 64 KB, which would live as long as the few hundred bytes in it.
  const packed = new Uint8Array(1 + bytes.length);
  packed[0] = deflated;
  packed.set(bytes, 1);
  return packed;
}

/** Throws for a format that this version does not know. */
export function decompressText(packed: Uint8Array): string {
  if (packed[0] !== deflated) throw new Error(`Text is stored in an unknown format: ${packed[0]}`);
  return inflateRawSync(packed.subarray(1)).toString();
}
