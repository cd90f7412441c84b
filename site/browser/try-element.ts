/** Shows the booking element in the guide about it, with the sandbox of the reader's test key. */
import { elementPath, integrationPath } from '../addresses.ts';
import { element } from './element.ts';
import type { Reader } from './reader.ts';

export function offerElement({ testKey }: Reader): void {
  const text = document.getElementById('try-it')?.nextElementSibling;
  if (!text || !testKey) return;
  const button = element('button', { type: 'button', className: 'button' }, 'Run the element here');
  const failed = element('p', {});
  failed.setAttribute('role', 'alert');
  button.addEventListener('click', async () => {
    button.disabled = true;
    failed.remove();
    const answer: { token?: string; message?: string } = await fetch(`${integrationPath}/sessions`, {
      method: 'POST',
      headers: { 'X-API-Key': testKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ kind: 'booker' }),
    })
      .then(async (response) => {
        await import(elementPath);
        return response.json();
      })
      .catch(() => ({}));
    const { token, message = 'No answer. Reload the page and try again.' } = answer;
    if (token === undefined) {
      failed.textContent = message;
      button.disabled = false;
      button.after(failed);
      return focusNext(button);
    }
    const slots = document.createElement('booking-slots');
    slots.setAttribute('api', new URL(integrationPath, location.href).href);
    slots.setAttribute('token', token);
    slots.setAttribute('role', 'group');
    slots.setAttribute('aria-label', 'Booking element');
    slots.tabIndex = -1;
    button.replaceWith(slots);
    focusNext(slots);
  });
  text.after(button);
}

/** The button loses the focus while it is disabled. An element that the reader has focused since keeps it. */
function focusNext(next: HTMLElement): void {
  if (document.activeElement === document.body) next.focus({ preventScroll: true });
}
