import { element } from './element.ts';

/** For screen readers, which do not read that the focused button has changed. */
const status = element('p', { className: 'unseen' });
status.setAttribute('role', 'status');
document.body.append(status);

const shownMs = 1_500;
/** The blocks share the status: the text of one must not be cleared when the time of another is over. */
let clearing: ReturnType<typeof setTimeout> | undefined;

function announce(text: string): void {
  status.textContent = text;
  clearTimeout(clearing);
  clearing = setTimeout(() => {
    status.textContent = '';
  }, shownMs);
}

/** Adds a button to every block of code that copies it and confirms this. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const code = block.querySelector('code');
    if (!code || block.querySelector('button')) continue;
    const button = element('button', { type: 'button', className: 'copy' }, 'Copy');
    button.addEventListener('click', async () => {
      const copied = await navigator.clipboard.writeText(code.textContent ?? '').then(
        () => true,
        () => false,
      );
      button.textContent = copied ? 'Copied' : 'Press Ctrl-C';
      announce(button.textContent);
      if (!copied) getSelection()?.selectAllChildren(code);
      setTimeout(() => {
        button.textContent = 'Copy';
      }, shownMs);
    });
    block.append(button);
  }
}
