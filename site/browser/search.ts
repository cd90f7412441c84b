/** The search over guides and references, in a dialog. Its index is loaded when the dialog opens for the first time. */
import type { Section } from '../search-index.ts';
import { element } from './element.ts';
import { filledIn } from './fill-in.ts';
import { find } from './find.ts';

const button = document.querySelector<HTMLButtonElement>('.search');
const dialog = document.querySelector<HTMLDialogElement>('#search');
const field = dialog?.querySelector('input');
const status = dialog?.querySelector('[role=status]');
const list = dialog?.querySelector('ul');

if (button && dialog && field && status && list) {
  let loading: Promise<readonly Section[]> | undefined;

  const load = async (): Promise<readonly Section[]> => {
    const answer = await fetch(button.dataset.index ?? '');
    if (!answer.ok) throw new Error(`The index of the search answered ${answer.status}`);
    const sections = (await answer.json()) as readonly Section[];
    return sections.map((section) => ({ ...section, text: filledIn(section.text, undefined) }));
  };

  const show = async () => {
    loading ??= load();
    const sections = await loading.catch(() => {
      loading = undefined;
      return undefined;
    });
    const search = field.value;
    const hits = find(sections ?? [], search);
    const plural = hits.length === 1 ? 'result' : 'results';
    if (sections === undefined) status.textContent = 'The search could not be loaded. Type again to retry.';
    else status.textContent = search.trim() === '' ? '' : `${hits.length || 'No'} ${plural}`;
    list.replaceChildren(
      ...hits.map(({ url, title, page, excerpt }) => {
        const texts = [element('strong', {}, title), element('small', {}, page), element('span', {}, excerpt)];
        return element('li', {}, element('a', { href: url }, ...texts));
      }),
    );
  };

  const open = (search = '') => {
    if (search) field.value = search;
    if (!dialog.open) dialog.showModal();
    field.select();
    void show();
  };

  button.hidden = false;
  button.addEventListener('click', () => open());
  field.addEventListener('input', () => void show());
  dialog.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  dialog.addEventListener('click', ({ target }) => {
    // A click outside the dialog hits its backdrop. A link to the current page loads nothing, so the dialog must close.
    if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close();
  });
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops: HTMLElement[] = [field, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + step + stops.length) % stops.length]?.focus();
  });
  addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
    const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut || dialog.open) return;
    event.preventDefault();
    open();
  });
  // The page for unknown addresses passes a search.
  const asked = new URLSearchParams(location.search).get('search');
  if (asked !== null) open(asked);
}
