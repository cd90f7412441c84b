/** `/docs/start/`: an overview and a first request. A script fills in the addresses of the deployment. */
import { placeholders } from './addresses.ts';
import type { Page } from './layout.ts';
import { clientPackage, guides, references, startPath } from './pages.ts';

const card = ({ path, name, summary }: { path: string; name: string; summary: string }) =>
  `<li><a href="${path}"><strong>${name}</strong><span>${summary}</span></a></li>`;

const documents = [
  { path: '/openapi.json', name: 'openapi.json', summary: 'The integration API, as OpenAPI 3.1.' },
  { path: '/openapi-account.json', name: 'openapi-account.json', summary: 'The account API, as OpenAPI 3.1.' },
  { path: clientPackage, name: 'booking-integration-client.tgz', summary: 'The TypeScript client, for npm install.' },
  { path: '/llms.txt', name: 'llms.txt', summary: 'The same in a page, for language models.' },
];

export function landingPage(): Page {
  return {
    path: startPath,
    title: 'Booking integration API',
    description: 'Services, staff, free slots and bookings, and events pushed to your webhooks.',
    kind: 'landing',
    scripts: ['landing.js'],
    body: `<main id="content">
<section class="hero">
<div>
<h1>Appointments, for every site and CRM</h1>
<p class="lead">Read a business’s services, staff and free slots. Hold a time, book it, move it, cancel it. Every change is pushed to your webhooks: signed, retried and logged.</p>
<p class="actions"><a class="button" href="/docs/quickstart/">Quickstart</a> <a class="button quiet" href="/docs/">Reference</a> <a class="button quiet" href="/">Console</a></p>
</div>
<div class="first">
<div id="demo" hidden><h2 class="running">A demo to try</h2><dl class="facts" id="facts"></dl></div>
<h2>A first call</h2>
<div class="code wraps"><pre tabindex="0"><code id="line">curl '${placeholders.integration}/services' \\
  -H 'X-API-Key: ${placeholders.testKey}'</code></pre></div>
<form id="run" hidden>
<label for="key">Test key</label> <input id="key" autocomplete="off" spellcheck="false" placeholder="${placeholders.testKey}">
<button type="submit" class="button">Send it from here</button>
<button type="button" class="button quiet" id="create-key" hidden>Create a test key</button>
<span id="status" role="status"></span>
</form>
<div class="code" id="answer" hidden><pre tabindex="0" role="region" aria-label="Answer"><code></code></pre></div>
<p class="note" id="no-key">No key yet? <a href="/sign-in?from=${startPath}">Sign in</a> and this page returns with a button that creates one.</p>
</div>
</section>
<section><h2>Reference</h2><ul class="cards">${references.map(card).join('')}</ul></section>
<section><h2>Guides</h2><ul class="cards">${guides.map(card).join('')}</ul></section>
<section><h2>Documents</h2><ul class="cards">${documents.map(card).join('')}</ul></section>
</main>`,
  };
}
