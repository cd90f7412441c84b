/**
 * Credentials of a function: those that Lambda puts into its environment, and no other source. The bundle puts this
 * module in the place of the SDK's credential chain, which is half of a bundle's size and start time.
 */
import { env } from './env.ts';

/** Has the name and shape of what the SDK's clients import from `@aws-sdk/credential-provider-node`. */
export function defaultProvider() {
  return async () => env.credentials();
}
