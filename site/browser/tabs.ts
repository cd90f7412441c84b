/** Shows the same code in several languages as tabs. A choice applies to all tabs, and to later pages. */
import { element } from './element.ts';
import './storage.ts';

const kept = 'language';

const nameOf = (block: Element) => block.getAttribute('data-language') ?? '';

export function drawTabs(): void {
  const groups = [...document.querySelectorAll('.tabs')].map(drawGroup);
  const choose = (name: string) => {
    for (const show of groups) show(name);
  };
  document.addEventListener('click', ({ target }) => {
    const name = target instanceof Element ? target.closest('[role=tab]')?.textContent : undefined;
    if (!name) return;
    choose(name);
    sessionStorage.setItem(kept, name);
  });
  choose(sessionStorage.getItem(kept) ?? '');
}

/** Returns a function that shows a language if the group has it; otherwise, the current one stays. */
function drawGroup(group: Element, at: number): (name: string) => void {
  const blocks = [...group.querySelectorAll<HTMLElement>('.code')];
  const list = element('div', { className: 'tablist' });
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = blocks.map((block, i) => {
    const tab = element('button', { type: 'button', id: `tab-${at}-${i}` }, nameOf(block));
    tab.setAttribute('role', 'tab');
    block.id = `panel-${at}-${i}`;
    block.setAttribute('role', 'tabpanel');
    block.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', block.id);
    return tab;
  });
  list.append(...tabs);
  group.prepend(list);
  group.classList.add('ready');
  const show = (name: string) => {
    const chosen = blocks.findIndex((block) => nameOf(block) === name);
    if (chosen < 0) return;
    blocks.forEach((block, i) => {
      block.hidden = i !== chosen;
      tabs[i]?.setAttribute('aria-selected', String(i === chosen));
      if (tabs[i]) tabs[i].tabIndex = i === chosen ? 0 : -1;
    });
  };
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const focused = tabs.indexOf(document.activeElement as HTMLButtonElement);
    if (!step || focused < 0) return;
    const next = tabs[(focused + step + tabs.length) % tabs.length];
    next?.focus();
    next?.click();
  });
  show(nameOf(blocks[0] ?? group));
  return show;
}
