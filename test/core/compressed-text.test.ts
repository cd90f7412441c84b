import { expect, test } from 'vitest';
import { compressText, decompressText } from '../../core/compressed-text.ts';

test('Compressed text begins with a format byte and is read back exactly, and an unknown format is refused', () => {
  const text = `${'{"name":"Jānis"}'.repeat(100)}\n`;
  const packed = compressText(text);
  expect(decompressText(packed)).toBe(text);
  expect(packed.length).toBeLessThan(text.length / 10);
  expect(packed[0]).toBe(1);
  expect(() => decompressText(Uint8Array.of(2, ...packed.slice(1)))).toThrow('unknown format');
});
