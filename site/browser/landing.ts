/** Sends a first request to this deployment, with the test key of a demo or with one that the reader enters. */
import { integrationPath } from '../addresses.ts';
import type { SiteConfig, SiteDemo } from '../config.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { element } from './element.ts';
import { filledIn, fillIn } from './fill-in.ts';
import { loadConfig } from './load-config.ts';
import { createTestKey, keepTestKey, loadReader, type Reader, signedInToken } from './reader.ts';

const byId = <E extends HTMLElement = HTMLElement>(id: string) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element as E;
};

function fact(name: string, value: string): HTMLElement {
  // The value is a URL or a key if it has no spaces.
  const className = value.includes(' ') ? '' : 'literal';
  return element('div', {}, element('dt', {}, name), element('dd', { className }, value));
}

function showDemo({ facts }: SiteDemo): void {
  byId('facts').append(...facts.map(([name, value]) => fact(name, value)));
  byId('demo').hidden = false;
}

async function send(apiKey: string): Promise<void> {
  const [status, answer] = [byId('status'), byId('answer')];
  status.textContent = 'Sending…';
  const began = performance.now();
  try {
    const response = await fetch(`${integrationPath}/services`, { headers: { 'X-API-Key': apiKey } });
    const body = JSON.stringify(await response.json(), null, 2);
    const left = response.headers.get('X-RateLimit-Remaining');
    status.textContent = [
      `${response.status} in ${Math.round(performance.now() - began)} ms`,
      ...(left === null ? [] : [`${left} calls left this minute`]),
    ].join(', ');
    const code = answer.querySelector('code');
    if (code) code.textContent = body;
    answer.hidden = false;
  } catch {
    status.textContent = 'The API gave no answer. Try again in a moment.';
  }
}

/** The button sends the request of the line. A test key that was used is filled into the other pages as well. */
function offerToSend(config: SiteConfig, reader: Reader): void {
  const [line, key] = [byId('line'), byId<HTMLInputElement>('key')];
  const written = line.textContent ?? '';
  const fill = () => {
    line.textContent = filledIn(written, config, { ...reader, testKey: key.value.trim() || undefined });
  };
  key.value = reader.testKey ?? '';
  key.addEventListener('input', fill);
  fill();
  const form = byId<HTMLFormElement>('run');
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = key.value.trim();
    if (given) {
      keepTestKey(given);
      void send(given);
    } else {
      byId('status').textContent = 'Paste a test key first.';
      key.focus();
    }
  });

  const ownerToken = signedInToken();
  if (ownerToken === undefined) return;
  byId('no-key').hidden = true;
  const create = byId<HTMLButtonElement>('create-key');
  create.hidden = false;
  create.addEventListener('click', async () => {
    create.disabled = true;
    try {
      key.value = await createTestKey(config, ownerToken);
      fill();
      byId('status').textContent = 'Created. These pages now show your key and the ids of your sandbox.';
    } catch (error) {
      byId('status').textContent = error instanceof Error ? error.message : String(error);
    }
    create.disabled = false;
  });
}

const config = await loadConfig();
const reader = await loadReader(config);
if (config?.demo) showDemo(config.demo);
if (config) offerToSend(config, reader);
fillIn(byId('content'), config, reader);
addCopyButtons();
byId('content').classList.add('ready');
