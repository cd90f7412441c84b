/** Shows the booking element in the guide about it, with the sandbox of the reader's test key. */
import { elementPath, integrationPath } from '../addresses.ts';
import { element } from './element.ts';
import type { Reader } from './reader.ts';

export function offerElement({ testKey }: Reader): void {
  const text = document.getElementById('try-it')?.nextElementSibling;
  if (!text || !testKey) return;
  const button = element('button', { type: 'button', className: 'button' }, 'Run the element here');
  button.addEventListener('click', async () => {
    button.disabled = true;
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
      const failed = element('p', {}, message);
      failed.setAttribute('role', 'alert');
      return button.replaceWith(failed);
    }
    const slots = document.createElement('booking-slots');
    slots.setAttribute('api', new URL(integrationPath, location.href).href);
    slots.setAttribute('token', token);
    slots.setAttribute('role', 'group');
    slots.setAttribute('aria-label', 'Booking element');
    slots.tabIndex = -1;
    button.replaceWith(slots);
    // The button had it.
    slots.focus({ preventScroll: true });
  });
  text.after(button);
}
