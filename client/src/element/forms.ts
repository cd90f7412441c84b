/** The forms of the element. */
import { type Child, h } from './draw.ts';
import type { Say, Texts } from './texts.ts';

const placesMax = 20;

const submit = (text: Child) => h('button', { type: 'submit', part: 'button', className: 'main' }, text);

/** The number of places, up to those that are left. */
export function placesForm(say: Say, remaining: number): HTMLFormElement {
  const options = Array.from({ length: Math.min(remaining, placesMax) }, (_, i) => h('option', {}, String(i + 1)));
  const select = h('select', { name: 'places', part: 'field' }, ...options);
  return h('form', {}, h('label', {}, say('places'), ` (${remaining} `, say('left'), ')', select), submit(say('next')));
}

/** The contact details, filled in with what the visitor has typed before, or with what the page has set. */
export function contactForm(say: Say, entered: Readonly<Record<string, unknown>> = {}): HTMLFormElement {
  const value = (name: string) => entered[name] ?? '';
  const field = (name: keyof Texts, properties: object) =>
    h('label', {}, say(name), h('input', { name, part: 'field', value: value(name), ...properties }));
  const comment = { name: 'comment', part: 'field', rows: 2, maxLength: 2_000, value: value('comment') };
  return h(
    'form',
    { noValidate: true },
    field('name', { autocomplete: 'name', required: true, maxLength: 200 }),
    h('small', { id: 'either' }, say('either')),
    field('phone', { type: 'tel', autocomplete: 'tel', 'aria-describedby': 'either' }),
    field('email', { type: 'email', autocomplete: 'email', 'aria-describedby': 'either' }),
    h('label', {}, say('comment'), h('textarea', comment)),
    submit(say('book')),
  );
}

/** What is filled in, without spaces around it. */
export function filledIn(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value));
}
