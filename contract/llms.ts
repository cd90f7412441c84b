/** `llms.txt`: what the service is and where its documents are, for a language model that writes an integration. */

import { integrationPrefix } from './integration/api.ts';
import { limits } from './limits.ts';
import { integrationApi } from './openapi/apis.ts';

const guides = {
  'docs/index.md': 'one line for every endpoint, with its parameters',
  'docs/agents.md': 'tools for assistants (MCP): connect one and let it book',
  'openapi.json': 'every endpoint, field, error and event, as OpenAPI 3.1',
  'openapi-small.json': 'only what is needed to book, in 60 KB',
  'docs/errors.md': 'every code, and what to do about it',
  'docs/limits.md': 'limits of requests per minute and day, and other limits',
  'docs/calling-the-api.md': 'keys, limits, errors, lists, idempotency, slots and bookings',
  'docs/booking-a-slot.md': 'free slots, holds, how to book only once, and what to do when another request was faster',
  'docs/which-way-out.md': 'push, feed or listen: how a program receives events',
  'docs/receiving-webhooks.md': 'messages, signatures, retries, and how to receive them',
  'docs/keep-a-mirror.md': 'a copy of the bookings that stays in sync: changes, webhooks, erasures, outages',
  'docs/generating-clients.md': 'settings that code generators need',
  'docs/test-mode.md': 'the sandbox: test keys, events on demand, and what differs from live mode',
  'client/README.md': 'the TypeScript client',
  'docs/languages.md': 'complete integrations in Python, PHP, Go and Ruby',
  'openapi-account.json': 'the account API, for the owner of a business',
  'CHANGELOG.md': 'what is new and what breaks',
};

const notes = [
  'Send the API key as `X-API-Key`, from a server: a key in a page can be read and used up by anybody, whatever its allowed origins.',
  `A key may make ${limits.requests.key.perMinute} requests a minute and ${limits.requests.key.perDay} a day. After 429 wait for \`Retry-After\` seconds.`,
  `Base address: \`${integrationPrefix}\` on the host of the API.`,
  'Amounts are in minor units (cents), times are ISO 8601 with an offset, ids are integers.',
  'Book only starts that `GET /slots` listed. On 409 `slot_unavailable`, `details.nextAvailable` has the next free starts.',
  'Send an `Idempotency-Key` with `POST /bookings`, and the same value when you repeat the request.',
  'Verify the signature of each webhook message over its raw body, respond with 2xx at once, and deduplicate on its `id`.',
];

export function llmsText(): string {
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}\n`).join('');
  return [
    `# ${integrationApi.title}\n\n> ${integrationApi.description.split('\n')[0]}\n`,
    list(notes),
    `## Documents\n\n${list(Object.entries(guides).map(([path, words]) => `[${path}](${path}): ${words}`))}`,
  ].join('\n');
}
