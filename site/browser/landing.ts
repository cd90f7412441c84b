/** Fills the page with the demo of this run: facts, key, commands and a first call. */
import type { SiteConfig, SiteDemo } from '../config.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { loadConfig } from './load-config.ts';

const byId = (id: string) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
};

function element(name: string, text = '', ...children: readonly Node[]): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...children);
  return made;
}

function fact(name: string, value: string): HTMLElement {
  const definition = element('dd', value);
  // A URL or a key: no spaces, nothing to read.
  if (!value.includes(' ')) definition.className = 'literal';
  return element('div', '', element('dt', name), definition);
}

function showDemo({ integrationUrl }: SiteConfig, { apiKey, facts, steps }: SiteDemo): void {
  byId('facts').append(...facts.map(([name, value]) => fact(name, value)));
  byId('demo').hidden = false;
  const [first, ...others] = steps;
  if (first) byId('line').textContent = first.command;
  byId('steps').append(
    ...others.map(({ title, command }) => {
      const pre = element('pre', '', element('code', command));
      pre.tabIndex = 0;
      const block = element('div', '', pre);
      block.className = 'code wraps';
      return element('li', '', element('p', title), block);
    }),
  );
  byId('next').hidden = others.length === 0;

  const [run, status, answer] = [byId('run'), byId('status'), byId('answer')];
  run.hidden = false;
  run.querySelector('button')?.addEventListener('click', async () => {
    status.textContent = 'Sending…';
    const began = performance.now();
    try {
      const response = await fetch(`${integrationUrl}/services`, { headers: { 'X-API-Key': apiKey } });
      const body = JSON.stringify(await response.json(), null, 2);
      const left = response.headers.get('X-RateLimit-Remaining');
      status.textContent = `${response.status} in ${Math.round(performance.now() - began)} ms, ${left} calls left this minute`;
      const code = answer.querySelector('code');
      if (code) code.textContent = body;
      answer.hidden = false;
    } catch {
      status.textContent = 'No response. Is it still running?';
    }
  });
}

const config = await loadConfig();
if (config?.demo) showDemo(config, config.demo);
addCopyButtons();
byId('content').classList.add('ready');
