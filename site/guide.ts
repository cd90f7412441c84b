/** The page of a guide: the list of all guides, the text, and the list of its headings. */
import { basename } from 'node:path';
import type { Page } from './layout.ts';
import { escapeHtml, renderCode, renderMarkdown } from './markdown.ts';
import { type Guide, guides, publishedProgram } from './pages.ts';

/** A file that a guide publishes completely. */
export interface Program {
  readonly name: string;
  /** Its path in this project. */
  readonly file: string;
  readonly text: string;
}

export function guidePage(guide: Guide, markdown: string, programs: readonly Program[]): Page {
  const { title, html, headings } = renderMarkdown(guide.source, markdown);
  const idOf = ({ name }: Program) => name.replaceAll(/\W/g, '-');
  const code = programs.map(
    (program) =>
      `<h2 id="${idOf(program)}"><a href="${publishedProgram(program.file)}" download="${basename(program.file)}"><code>${program.name}</code></a></h2>${renderCode(program.text, program.name.replace(/^.*\./, ''))}`,
  );
  const all = guides
    .map(
      ({ path, name }) => `<li><a href="${path}"${path === guide.path ? ' aria-current="page"' : ''}>${name}</a></li>`,
    )
    .join('');
  const files = programs.map((program) => ({ id: idOf(program), text: program.name }));
  const here = [...headings, ...files]
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
    .join('');
  return {
    path: guide.path,
    title: `${title} · Booking API`,
    description: guide.summary,
    kind: 'guide',
    scripts: ['guide.js'],
    body: `<div class="columns">
<nav class="side" aria-label="Guides"><h2>Guides</h2><ul>${all}</ul></nav>
<main id="content" class="text">${html}${code.join('')}${beside(guide)}</main>
${here !== '' ? `<nav class="side here" aria-label="On this page"><h2>On this page</h2><ul>${here}</ul></nav>` : ''}
</div>`,
  };
}

/** Links the previous and the next guide of the list. */
function beside(guide: Guide): string {
  const at = guides.indexOf(guide);
  const link = (other: Guide | undefined, words: string, rel: string) =>
    other ? `<a href="${other.path}" rel="${rel}"><small>${words}</small>${other.name}</a>` : '<span></span>';
  return `<nav class="beside" aria-label="Previous and next guide">${link(guides[at - 1], 'Previous', 'prev')}${link(guides[at + 1], 'Next', 'next')}</nav>`;
}
