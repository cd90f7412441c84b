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
    if (token === undefined) return button.replaceWith(message);
    const slots = document.createElement('booking-slots');
    slots.setAttribute('api', new URL(integrationPath, location.href).href);
    slots.setAttribute('token', token);
    button.replaceWith(slots);
  });
  text.after(button);
}
