import { addCopyButtons } from './copy-buttons.ts';
import { fillIn } from './fill-in.ts';
import { loadConfig } from './load-config.ts';
import { loadReader } from './reader.ts';
import { drawTabs } from './tabs.ts';
import { offerElement } from './try-element.ts';

addCopyButtons();
drawTabs();
const config = await loadConfig();
const reader = await loadReader(config);
fillIn(document.body, config, reader);
if (config) offerElement(reader);

/** Marks the current heading in the list of headings. */
const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.here a')].map((link) => [link.hash.slice(1), link]),
);
const seen = new IntersectionObserver(
  (entries) => {
    const reached = entries.findLast(({ isIntersecting }) => isIntersecting);
    if (!reached) return;
    for (const [id, link] of links) link.classList.toggle('reading', id === reached.target.id);
  },
  { rootMargin: '-70px 0px -70% 0px' },
);
for (const id of links.keys()) {
  const heading = document.getElementById(id);
  if (heading) seen.observe(heading);
}
