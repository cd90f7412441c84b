/** The index of the site's search: an entry for each section of a guide, each error, each operation and each event. */
export interface Section {
  readonly url: string;
  readonly title: string;
  /** The name in menus of the section's page. */
  readonly page: string;
  readonly text: string;
}

/** Words further down in a section are rarely searched for, and every reader who searches loads the index. */
const longestText = 1_500;
const headings = /<(h[123]|tr)(?: id="([^"]+)")?>/g;

/** Splits a page into sections: a section begins at a heading, or at a row with an anchor. */
export function sectionsOf({ path, body }: { path: string; body: string }, name: string): readonly Section[] {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(body)?.[1] ?? '';
  const found = [...main.matchAll(headings)].filter(([, tag, id]) => tag === 'h1' || id !== undefined);
  return found.map((heading, i) => {
    const [whole, tag, id] = heading;
    const inner = main.slice(heading.index + whole.length, found[i + 1]?.index);
    const [title = '', ...rest] = inner.split(tag === 'tr' ? '</td>' : `</${tag}>`);
    return {
      url: id === undefined ? path : `${path}#${id}`,
      title: textOf(title),
      page: name,
      text: textOf(rest.join(' ')).slice(0, longestText),
    };
  });
}

function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
  return html
    .replaceAll(/<\/?(?:p|li|t[dhr]|pre|div|h\d|nav|ul)\b[^>]*>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
