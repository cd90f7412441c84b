/** Checks phone numbers. The API compares their digits and guesses no country code. */
import { strings } from '../strings/strings.ts';

/** `+` or `00`, the country code, and the number: 4 to 15 digits with the separators that the API accepts. */
const withCountryCode = /^\(?(?:\+|00)[ ()./-]*[1-9](?:[ ()./-]*\d){3,14}[ ()./-]*$/;

/**
 * Returns the error of a number that the API would not recognise when it is given again with its country code. An empty
 * number has none, nor has one that is stored already.
 */
export function phoneProblem(typed: string, stored?: string | null): string | undefined {
  const phone = typed.trim();
  return phone === '' || phone === stored || withCountryCode.test(phone) ? undefined : strings.app.notPhone;
}
