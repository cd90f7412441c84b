/** What the API holds against the fields of a form, beside those fields. */
import type { ApiError } from '../api/errors.ts';

/** `form.setErrors(formProblems(error))`: by field, as `details` name them. */
export function formProblems(error: ApiError): Record<string, string> {
  return Object.fromEntries(error.problems.map(({ path, message }) => [path, message]));
}
