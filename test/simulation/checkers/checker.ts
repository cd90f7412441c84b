/** The common part of the checkers of deliveries. */
import { createHmac } from 'node:crypto';
import type { SendRequest } from '../../../core/webhooks/sender/send.ts';
import type { Checkers } from './checkers.ts';
import type { Made, Observed } from './tracked.ts';
import type { Subscriber, Webhooks } from './webhooks.ts';

export class Checker {
  protected readonly observed: Observed;
  protected readonly others: Checkers;

  constructor(observed: Observed, others: Checkers) {
    this.observed = observed;
    this.others = others;
  }

  protected get webhooks(): Webhooks {
    return this.others.webhooks;
  }

  protected report(sentence: string): void {
    this.observed.findings.report(sentence);
  }

  /** A request goes to the address of its webhook, with a signature that is computed again here. */
  protected checkSent({ url, headers, body }: SendRequest, webhook: Subscriber, { invocation }: Made): void {
    const { id, targetUrl } = webhook.item;
    if (url !== targetUrl) this.report(`webhook ${id}: a request to ${url}`);
    const secrets = this.webhooks.secretsSince(webhook, invocation.startedAt);
    const signatures = secrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    if (!signatures.includes(headers['X-Webhook-Signature'] ?? ''))
      this.report(`webhook ${id}: signed with another secret than the webhook's`);
  }
}
