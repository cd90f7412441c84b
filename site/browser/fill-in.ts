/** Replaces what stands for a deployment in the code of a page: with the addresses of this one, and a demo's key. */
import { placeholders } from '../addresses.ts';
import type { SiteConfig } from '../config.ts';

/** The same text for this deployment. The longest placeholder comes first, since one begins like another. */
export function filledIn(text: string, config: SiteConfig | undefined, key = config?.demo?.testKey): string {
  const absolute = (path: string) => new URL(path, location.origin).href;
  const values: readonly (readonly [string, string | undefined])[] = [
    [placeholders.account, config && absolute(config.accountUrl)],
    [placeholders.integration, config && absolute(config.integrationUrl)],
    [placeholders.site, location.origin],
    [placeholders.testKey, key],
  ];
  return values.reduce((filled, [from, to]) => (to === undefined ? filled : filled.replaceAll(from, to)), text);
}

/** All code within the element. */
export function fillIn(within: Element, config: SiteConfig | undefined): void {
  for (const code of within.querySelectorAll('code, .address')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      const filled = filledIn(currentNode.nodeValue ?? '', config);
      if (filled !== currentNode.nodeValue) currentNode.nodeValue = filled;
    }
  }
}
