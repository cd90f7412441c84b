/**
 * Text as it is stored where much of it is read and written: deflated (RFC 1951). The bodies of messages and the counts
 * of a webhook are most of what a page of the log reads. What comes out is byte for byte what went in.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export function compressText(text: string): Uint8Array {
  // Copied: what zlib gives lies in a buffer of 64 KB, which would live as long as the few hundred bytes in it.
  return Uint8Array.from(deflateRawSync(text));
}

export function decompressText(packed: Uint8Array): string {
  return inflateRawSync(packed).toString();
}
