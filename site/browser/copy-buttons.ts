import { element } from './element.ts';

/** For screen readers, which do not read that the focused button has changed. */
const status = element('p', { className: 'unseen' });
status.setAttribute('role', 'status');
document.body.append(status);

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
      status.textContent = button.textContent;
      if (!copied) getSelection()?.selectAllChildren(code);
      setTimeout(() => {
        button.textContent = 'Copy';
        status.textContent = '';
      }, 1_500);
    });
    block.append(button);
  }
}
