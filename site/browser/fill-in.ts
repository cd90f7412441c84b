/** Replaces the placeholders in the code of a page by addresses of the deployment and a key and ids of the reader. */
import { exampleIds, placeholders } from '../addresses.ts';
import type { SiteConfig } from '../config.ts';
import type { Reader } from './reader.ts';

/** The text for this deployment and reader. The longest placeholder comes first, because some share a prefix. */
export function filledIn(text: string, config: SiteConfig | undefined, { testKey, ids }: Reader = {}): string {
  const absolute = (path: string) => new URL(path, location.origin).href;
  const values: readonly (readonly [string | RegExp, string | number | undefined])[] = [
    [placeholders.account, config && absolute(config.accountUrl)],
    [placeholders.integration, config && absolute(config.integrationUrl)],
    [placeholders.api, config && new URL(config.integrationUrl, location.origin).origin],
    [placeholders.site, location.origin],
    [placeholders.testKey, testKey],
    [wholeNumber(exampleIds.service), ids?.serviceId],
    [wholeNumber(exampleIds.staff), ids?.staffId],
  ];
  return values.reduce((filled, [from, to]) => (to === undefined ? filled : filled.replaceAll(from, String(to))), text);
}

const wholeNumber = (id: number) => new RegExp(`(?<![\\w.-])${id}(?![\\w.-])`, 'g');

export function fillIn(within: Element, config: SiteConfig | undefined, reader: Reader): void {
  for (const code of within.querySelectorAll('code, .address')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      const filled = filledIn(currentNode.nodeValue ?? '', config, reader);
      if (filled !== currentNode.nodeValue) currentNode.nodeValue = filled;
    }
  }
}
