/** Signing secrets of webhooks (docs/rules.md#secrets). */
import { random } from '../../clock.ts';

export const secretPrefix = 'whsec_';

const secretBytes = 32;

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return secretPrefix + Buffer.from(random(secretBytes)).toString('base64');
}
