/** The tables of published pages and files, from which the rest of the site is derived. */
import { posix } from 'node:path';
import { clientSources } from './packed-client.ts';

export interface Guide {
  readonly path: string;
  /** The Markdown file. Its first heading is the title of the page. */
  readonly source: string;
  readonly name: string;
  readonly summary: string;
  /** Programs that the page shows completely after its text: files beside the source. */
  readonly programs?: readonly string[];
}

/** The guides in the order of the menu, by source. */
const sourced: Readonly<Record<string, Omit<Guide, 'path' | 'source'>>> = {
  'docs/quickstart.md': {
    name: 'Quickstart',
    summary: 'From a test key to a first response, a first booking and a first verified webhook.',
  },
  'docs/calling-the-api.md': {
    name: 'Calling the API',
    summary: 'Keys and scopes, limits, errors, times, money, lists, and booking without surprises.',
  },
  'docs/booking-a-slot.md': {
    name: 'Booking a slot',
    summary: 'Find free times, hold one, book it once, and handle conflicts.',
  },
  'docs/booking-on-your-site.md': {
    name: 'Put booking on your site',
    summary: 'An HTML element for your page, a session instead of a key, and links to manage an appointment.',
  },
  'docs/which-way-out.md': {
    name: 'Choose how to receive events',
    summary: 'Three ways to receive events: pushed to your server, read from a feed, forwarded to your laptop.',
  },
  'docs/receiving-webhooks.md': {
    name: 'Receiving webhooks',
    summary: 'What arrives, how to verify a message, how to respond, and how to get missed messages.',
  },
  'docs/webhooks-on-localhost.md': {
    name: 'Webhooks on localhost',
    summary: 'Receive messages on your own machine, and raise every event in the sandbox.',
  },
  'docs/errors.md': { name: 'Errors', summary: 'Every error code: when it occurs, and what to do.' },
  'docs/limits.md': {
    name: 'Limits',
    summary: 'Requests a minute and a day, a website with many visitors, and all other limits.',
  },
  'docs/test-mode.md': {
    name: 'Test mode',
    summary: 'A sandbox in which you can try everything and raise every event, and what it does not do.',
  },
  'client/README.md': {
    name: 'The TypeScript client',
    summary: 'Typed calls with retries that never book twice, lists as iterators, verified webhooks.',
  },
  'docs/keep-a-mirror.md': {
    name: 'Keep a mirror',
    summary: 'A copy of the bookings: first sync, changes, webhooks, erasures, and after an outage.',
  },
  'docs/generating-clients.md': {
    name: 'Generate a client',
    summary: 'Which settings code generators need, and what they get wrong without them.',
  },
  'docs/languages.md': {
    name: 'Python, PHP, Go, Ruby',
    summary: 'One integration in four languages: book once, wait on 429, verify messages, read a feed.',
    programs: ['examples/integrate.py', 'examples/integrate.php', 'examples/integrate.go', 'examples/integrate.rb'],
  },
  'docs/agents.md': {
    name: 'Let an agent book',
    summary:
      'Tools for AI agents (Model Context Protocol): the key, the configuration to paste, and the steps of a booking.',
  },
  'docs/account-api.md': {
    name: 'For owners',
    summary: 'The API for owners: business, bookings, clients, keys and webhooks.',
  },
  'examples/booking-site/README.md': {
    name: 'Example: a booking site',
    summary: 'A booking page, and a server in one file that keeps the API key secret.',
    programs: ['server.ts', 'index.html'],
  },
  'examples/receiver/README.md': {
    name: 'Example: a receiver',
    summary: 'A program that verifies each message, stores it, responds, and then processes it.',
    programs: ['receiver.ts', 'inbox.ts'],
  },
  'CHANGELOG.md': { name: 'Changelog', summary: 'What changed, and what to do about it.' },
};

export const guides: readonly Guide[] = Object.entries(sourced).map(([source, guide]) => ({
  path: pathOf(source),
  source,
  ...guide,
}));

/** Returns the path of a guide: `/docs/errors/` for `docs/errors.md`, `/docs/client/` for `client/README.md`. */
function pathOf(source: string): string {
  return `/docs/${source.replaceAll(/^docs\/|(?:\/README)?\.md$/g, '').toLowerCase()}/`;
}

/** Returns the address of a page as Markdown: `/docs/errors.md` for `/docs/errors/`. */
export function markdownOf(path: string): string {
  return path === '/docs/' ? '/docs/index.md' : `${path.slice(0, -1)}.md`;
}

/** Returns the paths of a guide's programs in this project. */
export function programsOf({ source, programs = [] }: Guide): readonly string[] {
  return programs.map((name) => posix.join(posix.dirname(source), name));
}

/** HTML examples are published as text, so that browsers show their source. */
export function publishedProgram(source: string): string {
  return `/${source}${source.endsWith('.html') ? '.txt' : ''}`;
}

export interface Reference {
  readonly path: string;
  /** An OpenAPI document of this project, published under its own name. */
  readonly document: string;
  readonly name: string;
  readonly summary: string;
}

/** The page for readers without a key. */
export const startPath = '/docs/start/';

export const references: readonly Reference[] = [
  {
    path: '/docs/',
    document: 'openapi.json',
    name: 'Reference',
    summary: 'Every endpoint, field, error and event, with requests to send from the page.',
  },
  {
    path: '/docs/account/',
    document: 'openapi-account.json',
    name: 'Account reference',
    summary: 'The same for the API that the console uses.',
  },
];

/** Files published unchanged, by path. Includes the guides as Markdown. */
export const documents: Readonly<Record<string, string>> = {
  ...Object.fromEntries(guides.map(({ source }) => [`/${source}`, source])),
  ...Object.fromEntries(guides.flatMap(programsOf).map((source) => [publishedProgram(source), source])),
  ...Object.fromEntries(guides.map(({ path, source }) => [markdownOf(path), source])),
  '/openapi.json': 'openapi.json',
  '/openapi-small.json': 'openapi-small.json',
  '/openapi-account.json': 'openapi-account.json',
  '/llms.txt': 'llms.txt',
  '/robots.txt': 'site/robots.txt',
  ...Object.fromEntries(
    ['verify-webhook.ts', 'receive-webhooks.py', 'receive-webhooks.php', 'mirror.ts', 'mirror.py'].map((name) => [
      `/docs/examples/${name}`,
      `docs/examples/${name}`,
    ]),
  ),
};

/** The address of the client package for `npm install`. */
export const clientPackage = '/docs/booking-integration-client.tgz';

/** The pages where customers book and manage an appointment, with a session token in the fragment. */
export const customerPages = { '/book/': 'Book an appointment', '/manage/': 'Your appointment' } as const;

/** Every path below `/docs/` except assets: pages with their name in menus, files with ''. */
export const publishedPaths: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(customerPages).map((path) => [path, ''])),
  ...Object.fromEntries(
    [{ path: startPath, name: 'Start' }, ...guides, ...references].map((page) => [page.path, page.name]),
  ),
  ...Object.fromEntries(
    [clientPackage, ...[startPath, ...references.map(({ path }) => path)].map(markdownOf), ...Object.keys(documents)]
      .filter((path) => path.startsWith('/docs/'))
      .map((path) => [path, '']),
  ),
};

/** All source files of the site outside its own folder. */
export const sources: readonly string[] = [...Object.values(documents), ...clientSources];
