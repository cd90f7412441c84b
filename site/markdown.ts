/** Renders Markdown of this project as HTML of the site, with highlighting, anchors and checked links. */
import { posix } from 'node:path';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { Marked, type Tokens } from 'marked';
import { documents, guides } from './pages.ts';

const languages = { sh: bash, http, json, ts: typescript, js: javascript, python, php, css, html: xml };
const names: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python', php: 'PHP' };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

interface Heading {
  readonly id: string;
  readonly text: string;
}

interface Rendered {
  /** The first heading. */
  readonly title: string;
  readonly html: string;
  /** The headings of the second level, in order. */
  readonly headings: readonly Heading[];
}

/** The published address of each file; that of a guide is a page. */
const published: ReadonlyMap<string, string> = new Map([
  ...Object.entries(documents).map(([path, source]) => [source, path] as const),
  ...guides.map(({ source, path }) => [source, path] as const),
]);

/** Throws an Error that names the link if its target is not published. */
export function renderMarkdown(source: string, text: string): Rendered {
  const headings: Heading[] = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = plain(words);
          return `<h1>${inner}</h1>`;
        }
        const id = anchorOf(words);
        if (depth === 2) headings.push({ id, text: plain(words) });
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>`;
      },
      code: ({ text: code, lang = '' }: Tokens.Code) => renderCode(code, lang),
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr${idOfRow(cells[0]?.text)}>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        // A table without column names has empty headers, which screen readers should not read.
        const named = token.header.some((cell) => cell.text.trim() !== '');
        const head = named ? `<thead>${row(token.header, 'th').replaceAll('<th></th>', '<td></td>')}</thead>` : '';
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(linkFrom(source, href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      html: () => '',
    },
  });
  const html = withTabs(marked.parse(text, { async: false }));
  if (!title) throw new Error(`${source} has no heading to be its title.`);
  return { title, html, headings };
}

export function renderCode(code: string, language: string): string {
  const body = language in languages ? hljs.highlight(code, { language }).value : escapeHtml(code);
  const name = names[language];
  return `<div class="code"${name ? ` data-language="${name}"` : ''}><pre tabindex="0"><code>${body}</code></pre></div>`;
}

/** Adjacent blocks in different languages become tabs, which a script draws. Without the script they are stacked. */
function withTabs(html: string): string {
  const block =
    /<div class="code" data-language="[^"]+"><pre tabindex="0"><code>(?:(?!<\/code>)[\s\S])*<\/code><\/pre><\/div>\s*/;
  return html.replaceAll(new RegExp(`(?:${block.source}){2,}`, 'g'), (blocks) => `<div class="tabs">${blocks}</div>`);
}

/** Returns an anchor for a row about an error, such as `#slot_unavailable`. */
function idOfRow(text: string | undefined): string {
  const [, code] = /^`([a-z]+(?:_[a-z]+)+)`$/.exec(text ?? '') ?? [];
  return code ? ` id="${code}"` : '';
}

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

function linkFrom(source: string, href: string): string {
  if (/^(https?:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(source), file);
  const path = published.get(target);
  if (path === undefined) throw new Error(`${source} links to ${target}, which site/pages.ts does not publish.`);
  return anchor === undefined ? path : `${path}#${anchor}`;
}

/** Creates the same anchors as GitHub, so that links work in both: lower case, no punctuation, hyphens for spaces. */
function anchorOf(words: string): string {
  return plain(words)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function plain(words: string): string {
  return words.replaceAll('`', '');
}
