import { element } from './element.ts';

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
      if (!copied) getSelection()?.selectAllChildren(code);
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1_500);
    });
    block.append(button);
  }
}
