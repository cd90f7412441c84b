import { expect, test, vi } from 'vitest';
import { acceptTargetUrl } from '../../../../core/webhooks/sender/target-url.ts';

test('a bug of ours is not told as a target that cannot be resolved', async () => {
  const broken = vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('a bug of ours');
  });
  try {
    await expect(acceptTargetUrl('https://example.com/')).rejects.toThrow(TypeError);
  } finally {
    broken.mockRestore();
  }
});
