/**
 * The body of a message as a record keeps it: deflated (RFC 1951), because bodies are most of what a page of the log
 * reads and every write of a head pays for. What comes out is byte for byte what went in.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export function compressBody(body: string): Uint8Array {
  // Copied: what zlib gives lies in a buffer of 64 KB, which would live as long as the few hundred bytes in it.
  return Uint8Array.from(deflateRawSync(body));
}

export function decompressBody(packed: Uint8Array): string {
  return inflateRawSync(packed).toString();
}
