/** Secrets and headers of example messages, signed by an independent library. */
import { Webhook } from 'standardwebhooks';

export const exampleSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

/** The headers of Standard Webhooks for a message. */
export const signedHeaders = (id: string, body: string, { at = new Date(), key = exampleSecret } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(key).sign(id, at, body),
});
