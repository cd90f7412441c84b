/**
 * The `deliveryId` (docs/rules.md#messages): one for each event and webhook, the same in every attempt and redelivery.
 */

const prefix = 'dlv_';
/** Eleven base-36 digits are enough for every id. */
const webhookDigits = 11;

/** `dlv_` and, in lowercase base 36, the webhook's id in eleven digits and the number of the delivery's first record. */
export function deliveryId(webhookId: number, number: number): string {
  return `${prefix}${webhookId.toString(36).padStart(webhookDigits, '0')}${number.toString(36)}`;
}

/** The webhook and the number of the first record, or nothing for a text that is not a `deliveryId`. */
export function parseDeliveryId(text: string): { webhookId: number; number: number } | undefined {
  const webhookId = Number.parseInt(text.slice(prefix.length, prefix.length + webhookDigits), 36);
  const number = Number.parseInt(text.slice(prefix.length + webhookDigits), 36);
  if (!Number.isSafeInteger(webhookId) || !Number.isSafeInteger(number) || number < 1) return undefined;
  return deliveryId(webhookId, number) === text ? { webhookId, number } : undefined;
}
