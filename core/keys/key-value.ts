/**
 * The value of an API key (docs/rules.md#api-keys): `bk_live_` or `bk_test_`, thirty random base62 characters, and
 * their CRC-32 as six characters. The token of a session begins with `bs_`. Secret scanners recognise both, and a typo
 * is refused without a read.
 */
import { crc32 } from 'node:zlib';
import { random } from '../clock.ts';
import { hashOf } from '../store/key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const format = /^(bk|bs)_(?:live|test)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

interface KeyValueParts {
  /** SHA-256 in lower-case hex, which is stored instead of the value: the partition key of the table `keys`. */
  readonly hash: string;
  /** The first characters of the value, which are stored and listed. */
  readonly prefix: string;
  readonly isSession: boolean;
}

/** A new value. It is shown once and never stored. */
export function createKeyValue(kind: { readonly test: boolean; readonly isSession?: boolean }): string {
  const characters = randomCharacters(randomLength);
  return `${kind.isSession ? 'bs' : 'bk'}_${kind.test ? 'test' : 'live'}_${characters}${checksum(characters)}`;
}

/** The parts of a value in the right format with a correct checksum; undefined for anything else. */
export function parseKeyValue(value: string): KeyValueParts | undefined {
  const [, kind, characters, sum] = format.exec(value) ?? [];
  if (characters === undefined || checksum(characters) !== sum) return undefined;
  return { hash: hashOf(value), prefix: prefixOf(value), isSession: kind === 'bs' };
}

/** The part of a value by which a person recognises the key: the kind and the first four characters. */
export function prefixOf(value: string): string {
  return value.slice(0, 'bk_live_'.length + 4);
}

/**
 * Bytes from 248 up are replaced by others: 248 is the largest multiple of 62 in a byte, so every character is equally
 * likely.
 */
function randomCharacters(length: number): string {
  let characters = '';
  while (characters.length < length) {
    for (const byte of random(length)) {
      if (byte < 248 && characters.length < length) characters += alphabet.charAt(byte % 62);
    }
  }
  return characters;
}

function checksum(characters: string): string {
  let rest = crc32(characters);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
