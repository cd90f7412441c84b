/** `/docs/start/`: what there is, and a first call. Where a demo is to be had, a script puts its key into the lines. */
import type { Page } from './layout.ts';
import { guides, references, startPath } from './pages.ts';

const card = ({ path, name, summary }: { path: string; name: string; summary: string }) =>
  `<li><a href="${path}"><strong>${name}</strong><span>${summary}</span></a></li>`;

const documents = [
  { path: '/openapi.json', name: 'openapi.json', summary: 'The integration API, as OpenAPI 3.1.' },
  { path: '/openapi-account.json', name: 'openapi-account.json', summary: 'The account API, as OpenAPI 3.1.' },
  { path: '/llms.txt', name: 'llms.txt', summary: 'The same in a page, for language models.' },
];

export function landingPage(): Page {
  return {
    path: startPath,
    title: 'Booking integration API',
    description: 'Services, staff, free slots, bookings, and fourteen kinds of event pushed to your webhooks.',
    kind: 'landing',
    scripts: ['landing.js'],
    body: `<main id="content">
<section class="hero">
<div>
<h1>Appointments, for every site and CRM</h1>
<p class="lead">Read a business’s services, staff and free slots. Hold a time, book it, move it, cancel it. Have fourteen kinds of event pushed to your webhooks: signed, retried and logged.</p>
<p class="actions"><a class="button" href="/docs/">Open the reference</a> <a class="button quiet" href="/docs/calling-the-api/">Read the guides</a></p>
</div>
<div class="first">
<div id="demo" hidden><h2 class="running">Running on this machine</h2><dl class="facts" id="facts"></dl></div>
<h2>A first call</h2>
<div class="code wraps"><pre tabindex="0"><code id="line">curl 'https://…/v1/integration/services' \\
  -H 'X-API-Key: bk_live_…'</code></pre></div>
<p id="run" hidden><button type="button" class="button">Send it from here</button> <span id="status" role="status"></span></p>
<div class="code" id="answer" hidden><pre tabindex="0" role="region" aria-label="Answer"><code></code></pre></div>
</div>
</section>
<section class="next" id="next" hidden>
<h2>The first minute</h2>
<ol id="steps"></ol>
</section>
<section><h2>Reference</h2><ul class="cards">${references.map(card).join('')}</ul></section>
<section><h2>Guides</h2><ul class="cards">${guides.map(card).join('')}</ul></section>
<section><h2>Documents</h2><ul class="cards">${documents.map(card).join('')}</ul></section>
</main>`,
  };
}
