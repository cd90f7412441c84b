/** The account and region of the local run, and ARNs within it. */
export const localAccount = '000000000000';
export const localRegion = 'us-east-1';

/** Returns the ARN of a resource in the local account: `arn('sqs', 'orders')`. */
export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
}

/** Returns the part of an ARN after the account: `table/records` for a table. */
export function resourceOf(arnText: string): string {
  return arnText.split(':').slice(5).join(':');
}
