/** The layout of every page: head, top bar and footer. */
import { escapeHtml } from './markdown.ts';
import { guides, references, startPath } from './pages.ts';

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** HTML between top bar and footer. `{asset:NAME}` is replaced by the address of a built file. */
  readonly body: string;
  /** Names of entries of the bundle. */
  readonly scripts: readonly string[];
  /** A page of the kind `reference` fills the window and has no footer. */
  readonly kind: 'landing' | 'guide' | 'reference';
}

/** URL of a built file by the name of its entry: `('site.css') => '/assets/site-1a2b3c.css'`. */
export type AssetUrl = (entry: string) => string;

const logo = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M9 9v4m14-4v4M7 13h18M8.5 11h15A1.5 1.5 0 0 1 25 12.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 7 23.5v-11A1.5 1.5 0 0 1 8.5 11z" fill="none" stroke="var(--on-accent)" stroke-width="2" stroke-linecap="round"/><path d="m12 19 3 3 5.5-5.5" fill="none" stroke="var(--on-accent)" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const glass = `<svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true"><circle cx="7" cy="7" r="4.6" fill="none" stroke="currentColor" stroke-width="1.7"/><path d="m10.5 10.5 3.7 3.7" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/></svg>`;

const menu = [
  ...references.map(({ path, name }) => ({ path, name })),
  ...guides.slice(0, 1).map(({ path }) => ({ path, name: 'Guides' })),
];

export function renderPage({ path, title, description, body, scripts, kind }: Page, asset: AssetUrl): string {
  const isCurrent = (entry: { path: string; name: string }) =>
    entry.name === 'Guides' ? kind === 'guide' : entry.path === path;
  const links = menu
    .map((entry) => `<a href="${entry.path}"${isCurrent(entry) ? ' aria-current="page"' : ''}>${entry.name}</a>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('site.css')}">
${[...scripts, 'search.js'].map((name) => `<script src="${asset(name)}" type="module"></script>`).join('\n')}
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to the content</a>
<nav class="bar" aria-label="Site">
<a class="brand" href="${startPath}" aria-label="Booking API, start">${logo}<span>Booking API</span></a>
<div>${links}<button type="button" class="search" data-index="${asset('search.json')}" aria-keyshortcuts="/ Control+K" aria-label="Search" hidden>${glass}<span>Search</span> <kbd>/</kbd></button></div>
</nav>
${body.replaceAll(/\{asset:([a-z.-]+)\}/g, (_, name: string) => asset(name))}
${kind === 'reference' ? '' : foot}
${search}
</body>
</html>
`;
}

const foot = `<footer class="foot">
<p><a href="/openapi.json">openapi.json</a> <a href="/openapi-account.json">openapi-account.json</a> <a href="/llms.txt">llms.txt</a></p>
</footer>`;

const search = `<dialog id="search" aria-label="Search the documentation">
<form><input type="search" aria-label="Search the documentation" placeholder="Search guides and reference" autocomplete="off" spellcheck="false"></form>
<p role="status"></p>
<ul></ul>
</dialog>`;
