/** The pretended account, and names within it. */
export const localAccount = '000000000000';
export const localRegion = 'us-east-1';

/** `arn('sqs', 'orders')`: a resource of the pretended account. */
export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
}

/** What comes after the account: `table/records` of a table's arn. */
export function resourceOf(arnText: string): string {
  return arnText.split(':').slice(5).join(':');
}
