/**
 * HMAC-SHA-256 in nothing but arithmetic, so that no library stands on both sides of a comparison: RFC 2104 over
 * FIPS 180-4, and text as RFC 3629 encodes it.
 */

const blockBytes = 64;

export function hmacByDefinition(key: Uint8Array, message: Uint8Array): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? sha256(key) : key);
  const inner = sha256(
    block.map((byte) => byte ^ 0x36),
    message,
  );
  return sha256(
    block.map((byte) => byte ^ 0x5c),
    inner,
  );
}

/** UTF-8. Half a surrogate pair is no character and becomes U+FFFD, as in every encoder of the web. */
export function utf8(text: string): Buffer {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), tail(point));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), tail(point >> 6), tail(point));
    else bytes.push(0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point));
  }
  return Buffer.from(bytes);
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f);

const isPrime = (n: number): boolean => {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return true;
};
const primes = Array.from({ length: 310 }, (_, i) => i + 2).filter(isPrime);

/** The first 32 bits of the fraction of each root. */
const fractions = (roots: number[]): DataView => words(roots.map((root) => Math.floor((root % 1) * 2 ** 32)));

/** FIPS 180-4, sections 5.3.3 and 4.2.2: the square roots of the first 8 primes, the cube roots of the first 64. */
const firstHash = fractions(primes.slice(0, 8).map(Math.sqrt));
const roundConstants = fractions(primes.slice(0, 64).map(Math.cbrt));

function words(values: number[]): DataView {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value);
  return view;
}

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** FIPS 180-4, section 6.2. */
function sha256(...parts: Uint8Array[]): Buffer {
  const { blocks, end } = padded(Buffer.concat(parts));
  const hash = new DataView(firstHash.buffer.slice());
  const w = new DataView(new ArrayBuffer(256));
  for (let start = 0; start < end; start += blockBytes) {
    for (let t = 0; t < 64; t += 4) w.setInt32(t, blocks.getInt32(start + t));
    for (let t = 64; t < 256; t += 4) {
      const near = w.getInt32(t - 8);
      const far = w.getInt32(t - 60);
      const nearSigma = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10);
      const farSigma = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3);
      w.setInt32(t, nearSigma + w.getInt32(t - 28) + farSigma + w.getInt32(t - 64));
    }
    let a = hash.getInt32(0);
    let b = hash.getInt32(4);
    let c = hash.getInt32(8);
    let d = hash.getInt32(12);
    let e = hash.getInt32(16);
    let f = hash.getInt32(20);
    let g = hash.getInt32(24);
    let h = hash.getInt32(28);
    for (let t = 0; t < 256; t += 4) {
      const chosen = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const eSum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const aSum = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const first = (h + eSum + chosen + roundConstants.getInt32(t) + w.getInt32(t)) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + aSum + majority) | 0;
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash.setInt32(4 * i, hash.getInt32(4 * i) + word);
  }
  return Buffer.from(hash.buffer);
}

/** FIPS 180-4, section 5.1.1: a one bit, zeros, and the length in bits, which fits into 32 of its 64 bits here. */
function padded(message: Uint8Array): { blocks: DataView; end: number } {
  const end = Math.ceil((message.length + 9) / blockBytes) * blockBytes;
  const bytes = new Uint8Array(end);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const blocks = new DataView(bytes.buffer);
  blocks.setUint32(end - 4, 8 * message.length);
  return { blocks, end };
}
