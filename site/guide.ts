/** A guide: the list of all, the text, and what is on this page. */
import type { Page } from './layout.ts';
import { escapeHtml, renderMarkdown } from './markdown.ts';
import { type Guide, guides } from './pages.ts';

export function guidePage(guide: Guide, markdown: string): Page {
  const { title, html, headings } = renderMarkdown(guide.source, markdown);
  const all = guides
    .map(
      ({ path, name }) => `<li><a href="${path}"${path === guide.path ? ' aria-current="page"' : ''}>${name}</a></li>`,
    )
    .join('');
  const here = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('');
  return {
    path: guide.path,
    title: `${title} · Booking API`,
    description: guide.summary,
    kind: 'guide',
    scripts: ['guide.js'],
    body: `<div class="columns">
<nav class="side" aria-label="Guides"><h2>Guides</h2><ul>${all}</ul></nav>
<main id="content" class="text">${html}</main>
${headings.length > 0 ? `<nav class="side here" aria-label="On this page"><h2>On this page</h2><ul>${here}</ul></nav>` : ''}
</div>`,
  };
}
