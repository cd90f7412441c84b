/** The text that a person reads when everything runs: the address, the key, and lines to paste. */

import type { EventName } from '../contract/events.ts';
import { accountPrefix, integrationPrefix } from '../contract/prefixes.ts';
import { configPath, type SiteConfig } from '../site/config.ts';
import { startPath } from '../site/pages.ts';
import { demoOwner, newOwner } from './demo.ts';
import type { Demo } from './seed-demo.ts';
import type { LocalRun } from './start-local.ts';

interface Welcome {
  readonly run: Pick<LocalRun, 'baseUrl' | 'owners'>;
  readonly demo: Demo;
  /** The token for the account API. Absent if the app names a foreign issuer. */
  readonly ownerToken: string | undefined;
  readonly dataDir: string | undefined;
  readonly timeScale: number;
}

const firstEvents: readonly EventName[] = ['booking.created', 'booking.confirmed'];

/** The lines to paste, in the order of the first minute. */
export function firstSteps({ baseUrl }: Pick<LocalRun, 'baseUrl'>, { apiKey, free }: Demo) {
  const curl = (path: string, body?: object) =>
    [
      `curl -sS '${baseUrl}${integrationPrefix}${path}' -H 'X-API-Key: ${apiKey}'`,
      ...(body ? [`  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`] : []),
    ].join(' \\\n');
  const webhook = { targetUrl: 'http://127.0.0.1:9000/hooks', events: firstEvents };
  const booking = free && { ...free, client: { name: 'Jane Doe', email: 'jane@example.com' } };
  return {
    listServices: curl('/services'),
    // The response, which alone contains the secret, goes to a receiver.
    createWebhook: `${curl('/webhooks', webhook)} | npm run -s listen -- --secret -`,
    createBooking: booking && curl('/bookings', booking),
    trigger: `npm run -s trigger -- booking.completed --url ${baseUrl}`,
    // The token has 700 characters, so the lines fetch it from the source of the pages.
    listApiKeys: [
      `export TOKEN=$(curl -sS ${baseUrl}${configPath} | node -p 'JSON.parse(fs.readFileSync(0)).demo.ownerToken')`,
      `curl -sS '${baseUrl}${accountPrefix}/api-keys' -H "Authorization: Bearer $TOKEN"`,
    ].join('\n'),
  };
}

/** Signs an owner in directly, because this machine requires no password, so the link contains no secret. */
export function signInLink({ baseUrl }: Pick<LocalRun, 'baseUrl'>, email = demoOwner): string {
  return `${baseUrl}/sign-in?as=${email}`;
}

export function welcome(about: Welcome): string {
  const { run, demo, ownerToken, dataDir, timeScale } = about;
  const { business, services, staff } = demo.tenant;
  const steps = firstSteps(run, demo);
  const names = (list: readonly { id: number; name: string }[]) =>
    list.map(({ id, name }) => `${name} (${id})`).join(', ');

  return `
  Open       ${signInLink(run)} opens the console, signed in as ${demoOwner}
  New owner  ${signInLink(run, newOwner.email)} signs in an owner who has no business yet
  Reference  ${run.baseUrl}/docs/ and a first call: ${run.baseUrl}${startPath}
  Base URL   ${run.baseUrl}${integrationPrefix}
  API key    ${demo.apiKey}
  Test key   ${demo.testKey} (for the sandbox: live data does not change)
  Business   ${business.name} (${business.id}), ${business.timeZone}
  Services   ${names(services)}
  Staff      ${names(staff)}
  Retries    ${timeScale === 1 ? 'after 1 min, 5 min, 15 min, 1 h, 4 h (--time-scale makes them faster)' : `${timeScale} times faster than 1 min, 5 min, 15 min, 1 h, 4 h`}
  Data       ${dataDir ?? 'in memory, lost at the end (--data DIR keeps it)'}

In a second terminal, in this folder, list the services of the business:

${steps.listServices}

Create a webhook, and start a receiver, which reads the signing secret from the response:

${steps.createWebhook}

In a third terminal, create a booking. The receiver prints its event:

${steps.createBooking ?? '(the business is fully booked)'}

List the API keys and their use as the owner, with the account API. The token is valid for twelve hours:

${ownerToken ? steps.listApiKeys : '(owners sign in at another issuer)'}

Trigger an event in the sandbox, here a completed visit. Webhooks of the test key receive it:

${steps.trigger}

Ctrl-C stops the run.`;
}

/** The links for the pages of the site. They are paths, so that pages call the host that they were loaded from. */
export function siteConfig({
  run,
  demo,
  ownerToken,
}: Pick<Welcome, 'run' | 'demo' | 'ownerToken'>): Partial<SiteConfig> {
  const { business, services, staff } = demo.tenant;
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(', ');
  return {
    integrationUrl: integrationPrefix,
    accountUrl: accountPrefix,
    ...(run.owners && { signIn: { issuer: run.owners.issuer, clientId: run.owners.audience } }),
    demo: {
      apiKey: demo.apiKey,
      testKey: demo.testKey,
      ownerToken,
      facts: [
        ['Business', `${business.name}, ${business.timeZone}`],
        ['Services', names(services)],
        ['Staff', names(staff)],
        ['Base URL', `${run.baseUrl}${integrationPrefix}`],
        ['Test key', demo.testKey],
        ['Live key', demo.apiKey],
      ],
    },
  };
}
