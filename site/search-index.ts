/** What the search of the site knows: a row for each section of a guide, each error, each operation and each event. */
export interface Section {
  readonly url: string;
  readonly title: string;
  /** The page it is on, by its name in menus. */
  readonly page: string;
  readonly text: string;
}

/** Nobody looks for a word so deep in a section, and every reader who searches loads the index. */
const longestText = 1_500;
const marks = /<(h[123]|tr)(?: id="([^"]+)")?>/g;

/** Sections of a page: what follows a heading, or a row that can be linked to. */
export function sectionsOf({ path, body }: { path: string; body: string }, name: string): readonly Section[] {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(body)?.[1] ?? '';
  const found = [...main.matchAll(marks)].filter(([, tag, id]) => tag === 'h1' || id !== undefined);
  return found.map((mark, i) => {
    const [whole, tag, id] = mark;
    const inner = main.slice(mark.index + whole.length, found[i + 1]?.index);
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
