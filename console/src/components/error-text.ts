/** What is said of a failed call: by its code in the language of the console, and what the API adds, in English. */
import { createElement, type ReactNode } from 'react';
import { ApiError } from '../api/errors.ts';
import { strings } from '../strings/strings.ts';

/** Codes whose message says more than the code. */
const specific: readonly ApiError['code'][] = [
  'invalid_json',
  'range_too_large',
  'insufficient_scope',
  'not_found',
  'slot_unavailable',
  'invalid_state',
  'future_bookings',
  'webhook_limit_reached',
];

/** A newer API may have codes that are unknown here. */
const isKnown = (error: Error): error is ApiError => error instanceof ApiError && error.code in strings.errors;

export function errorTitle(error: Error): string {
  return strings.errors[isKnown(error) ? error.code : 'unexpected_answer'];
}

/** The message of the error, where it says more than the title. */
export function errorMessage(error: Error): ReactNode {
  return isKnown(error) && !specific.includes(error.code) ? undefined : inEnglish(error.message);
}

/** Free text of the API, which is English in every language of the console. */
export function inEnglish(text: string): ReactNode {
  return createElement('span', { lang: 'en' }, text);
}
