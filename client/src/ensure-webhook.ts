/** Finds, updates or creates the webhook of a description. */

import type { CreateWebhookInput, IntegrationClient } from './generated/operations.ts';
import type { GetWebhookResponse } from './generated/types.ts';
import { sleep } from './timeout.ts';

/** `description` identifies the webhook: the key has only one with it. */
export type WantedWebhook = CreateWebhookInput & { readonly description: string };

export interface EnsuredWebhook {
  readonly webhook: GetWebhookResponse;
  /** The secret of a webhook that this call created: store it. Undefined for an existing one. */
  readonly secret: string | undefined;
}

type Api = Pick<IntegrationClient, 'listWebhooks' | 'createWebhook' | 'updateWebhook' | 'deleteWebhook'>;

/** Milliseconds between two lists, and their number, while concurrent calls delete their webhooks. */
const settleMs = 1_000;
const waitsMax = 10;
const attemptsMax = 5;

/**
 * Call it at every start: it creates the webhook once, updates what differs, and reactivates it. Concurrent processes
 * end with the same webhook; one that is killed while it creates may leave a second one.
 */
export async function ensureWebhook(api: Api, input: WantedWebhook): Promise<EnsuredWebhook> {
  // The API removes spaces at both ends.
  const wanted = { ...input, description: input.description?.trim() };
  if (!wanted.description) throw new TypeError('description must not be empty.');
  for (let attempt = 1; ; attempt++) {
    const [found] = await settled(api, wanted);
    if (found) return { webhook: await changed(api, found, wanted), secret: undefined };
    const { secret, ...webhook } = await api.createWebhook(wanted);
    const [first, ...others] = await settled(api, wanted, webhook.id);
    if (first?.id === webhook.id && others.length === 0) return { webhook, secret };
    await api.deleteWebhook({ id: webhook.id });
    if (attempt === attemptsMax)
      throw new Error(`Other processes create the webhook ${wanted.description} at the same time. Try again later.`);
  }
}

/**
 * The webhooks with this description. If there are several, waits until concurrent calls have deleted all but the first,
 * except if `ownId` is one to delete.
 */
async function settled(api: Api, wanted: WantedWebhook, ownId?: number): Promise<GetWebhookResponse[]> {
  for (let waits = 0; ; waits++) {
    const found = await namesakes(api, wanted);
    const isFirst = ownId === undefined || found[0]?.id === ownId;
    if (found.length < 2 || !isFirst || waits === waitsMax) return found;
    await sleep(settleMs, undefined);
  }
}

async function namesakes(api: Api, { description }: WantedWebhook): Promise<GetWebhookResponse[]> {
  const found: GetWebhookResponse[] = [];
  for await (const one of api.listWebhooks({ limit: 100 })) if (one.description === description) found.push(one);
  return found.sort((a, b) => a.id - b.id);
}

async function changed(api: Api, found: GetWebhookResponse, wanted: WantedWebhook): Promise<GetWebhookResponse> {
  const { delivery = 'push', targetUrl, events, filter = null } = wanted;
  if (found.delivery !== delivery) throw new TypeError(`The webhook ${found.id} has the delivery ${found.delivery}.`);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const changes = {
    // The API stores URLs as normalised by the URL parser.
    ...(targetUrl !== undefined && new URL(targetUrl).href !== found.targetUrl && { targetUrl }),
    ...(!isSame([...events].sort(), [...found.events].sort()) && { events }),
    ...(!isSame([filter?.serviceIds, filter?.staffIds], [found.filter?.serviceIds, found.filter?.staffIds]) && {
      filter,
    }),
    // A program that starts can receive messages again.
    ...(found.status === 'failed' && { status: 'active' as const }),
  };
  return Object.keys(changes).length > 0 ? api.updateWebhook({ id: found.id, ...changes }) : found;
}
