/** The errors of DynamoDB, as the SDK throws them. */
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './value.ts';

const $metadata = {};

const refusal = (name: string) => (message: string) =>
  new DynamoDBServiceException({ name, $fault: 'client', $metadata, message });

export const invalid = refusal('ValidationException');
export const missing = refusal('ResourceNotFoundException');
export const inUse = refusal('ResourceInUseException');
export const trimmed = refusal('TrimmedDataAccessException');
/** The client token of a transaction comes with another transaction. */
export const mismatched = refusal('IdempotentParameterMismatchException');

const unfit = new WeakSet<Error>();

/** An update that does not fit its item, or a key that does not fit its table: alone a `ValidationException`, in a transaction a cancellation reason. */
export function inapplicable(message: string): Error {
  const error = invalid(message);
  unfit.add(error);
  return error;
}

export function isInapplicable(error: unknown): error is Error {
  return error instanceof Error && unfit.has(error);
}

export function throttled(): ProvisionedThroughputExceededException {
  return new ProvisionedThroughputExceededException({ $metadata, message: 'The level of throughput was exceeded.' });
}

export function conditionFailed(item?: Item): ConditionalCheckFailedException {
  return new ConditionalCheckFailedException({
    $metadata,
    message: 'The conditional request failed',
    ...returnedItem(item),
  });
}

/** The document client returns the item of an error in DynamoDB's own format. */
export function returnedItem(item: Item | undefined) {
  return item && { Item: marshall(item, { removeUndefinedValues: true }) };
}

export function cancelled(reasons: CancellationReason[]): TransactionCanceledException {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new TransactionCanceledException({
    $metadata,
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
}
