/** The text of a failed call: by its code in the language of the console, and the message of the API in English. */
import { createElement, type ReactNode } from 'react';
import { ApiError } from '../api/errors.ts';
import { strings } from '../strings/strings.ts';

/** Codes whose message adds nothing to the code. */
const plain: readonly ApiError['code'][] = [
  'connection_failed',
  'unexpected_answer',
  'business_claim_missing',
  'client_exists',
  'colleague_exists',
  'review_exists',
  'refund_exceeds_payment',
  'recovery_in_progress',
  'ping_in_progress',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'rate_limit_exceeded',
  'daily_limit_exceeded',
  'internal_error',
  'temporarily_unavailable',
];

/** A newer API may return unknown codes. */
const isKnown = (error: Error): error is ApiError => error instanceof ApiError && error.code in strings.errors;

export function errorTitle(error: Error): string {
  return strings.errors[isKnown(error) ? error.code : 'unexpected_answer'];
}

/** Returns the message of the error if it adds something to the title. */
export function errorMessage(error: Error): ReactNode {
  return isKnown(error) && plain.includes(error.code) ? undefined : inEnglish(error.message);
}

/** Marks free text of the API as English, whatever the language of the console is. */
export function inEnglish(text: string): ReactNode {
  return createElement('span', { lang: 'en' }, text);
}
