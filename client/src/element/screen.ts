/** Draws one screen at a time in the element, runs the actions of its buttons, and shows errors. */
import { Refused } from './api.ts';
import { type Child, h, row } from './draw.ts';
import { style } from './style.ts';
import type { Say, Texts } from './texts.ts';

export type Action = () => Promise<unknown>;
/** Returns what to say instead of `taken`. */
export type OnTaken = () => Promise<keyof Texts | undefined>;

/** Texts of errors for which trying again is useless. */
const finalSayings: ReadonlySet<keyof Texts> = new Set([
  'over',
  'unsure',
  'late',
  'noMove',
  'changed',
  'contactLimit',
  'notAllowed',
]);

/** The ids of the elements that describe a field to a screen reader. */
const descriptions = (field: Element) => field.getAttribute('aria-describedby') ?? '';

export class Screen {
  readonly #root: ShadowRoot;
  readonly #say: Say;
  readonly #onRefused: (refused: Refused) => Action | undefined;
  /** The screen that is shown. */
  #section = h('section');
  /** Whether the visitor has clicked since the last start. */
  isUsed = false;

  /** `onRefused` gets each error, and returns how to show the appointment of the error or of the element. */
  constructor(host: HTMLElement, say: Say, onRefused: (refused: Refused) => Action | undefined) {
    this.#root = host.attachShadow({ mode: 'open' });
    this.#say = say;
    this.#onRefused = onRefused;
    // A content security policy may forbid a `style` element, but not a constructed style sheet.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    const onClick = (event: Event) => {
      this.isUsed = true;
      // The second tap of a double tap on a day would choose the time that has appeared in its place.
      if ((event as MouseEvent).detail < 2) return;
      event.preventDefault();
      event.stopPropagation();
    };
    this.#root.addEventListener('click', onClick, true);
  }

  /** Draws a screen. After a click the focus moves to its heading, so that a screen reader reads it. */
  show(title: Child | readonly Child[], ...children: readonly Child[]): void {
    const heading = h('h2', { tabIndex: -1 }, ...[title].flat());
    this.#draw(h('section', { part: 'screen' }, heading, ...children));
    if (this.isUsed) heading.focus();
  }

  #draw(section: HTMLElement): void {
    this.#section = section;
    this.#root.replaceChildren(section);
  }

  /** Runs the action of a click. On an error it shows the text, a next step, and a way back to `before`. */
  async step(act: Action, onTaken?: OnTaken, before = this.#section): Promise<void> {
    const section = this.#section;
    const buttons = [...section.querySelectorAll<HTMLButtonElement>('button:enabled')];
    for (const button of buttons) button.disabled = true;
    section.setAttribute('aria-busy', 'true');
    try {
      await act();
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused('', 'failed');
      const toAppointment = this.#onRefused(refused);
      for (const button of buttons) button.disabled = false;
      section.removeAttribute('aria-busy');
      // A link whose bookings are made was also opened elsewhere.
      let { say } = refused;
      const taken = async () => {
        say = (await onTaken?.()) ?? say;
      };
      const next = say === 'taken' && onTaken ? taken : refused.bookingId && toAppointment;
      if (next) {
        await this.step(next);
        this.problem(say);
        return;
      }
      const unchanged = async () => {
        if (before === this.#section) return;
        this.#draw(before);
        before.querySelector('h2')?.focus();
      };
      if (section.querySelector('form')) {
        await unchanged();
        this.problem(refused.say, refused.field);
        return;
      }
      const isFinal = finalSayings.has(refused.say);
      const back = (isFinal && toAppointment) || unchanged;
      this.show(
        this.#say(refused.say),
        row(
          isFinal ? undefined : this.button('again', act, false, onTaken, before),
          before.querySelector('button') && refused.say !== 'over' ? this.button('back', back) : undefined,
        ),
      );
    }
  }

  /** Shows an error, beside the field to correct if there is one. */
  problem(name: keyof Texts, field?: string): void {
    const section = this.#section;
    section.querySelector('.problem')?.remove();
    const corrected = section.querySelector('[aria-invalid]');
    corrected?.removeAttribute('aria-invalid');
    corrected?.setAttribute('aria-describedby', descriptions(corrected).replace(/^problem ?/, ''));
    const input = section.querySelector<HTMLInputElement>(`[name=${field}]`);
    const problem = h('p', { id: 'problem', className: 'problem', role: 'alert' }, this.#say(name));
    const label = input?.closest('label');
    if (label) label.before(problem);
    else section.querySelector('h2')?.after(problem);
    if (input) {
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', `problem ${descriptions(input)}`.trim());
      input.focus();
    }
    // A button that was disabled has lost the focus.
    if (this.isUsed && !this.#root.activeElement) section.querySelector('h2')?.focus();
    // On a phone, the form is longer than the screen.
    if (this.isUsed) problem.scrollIntoView({ block: 'nearest' });
  }

  button(name: keyof Texts, act: Action, isMain = false, onTaken?: OnTaken, before?: HTMLElement): HTMLButtonElement {
    const onclick = () => this.step(act, onTaken, before);
    const className = isMain ? 'main' : '';
    return h('button', { type: 'button', value: name, part: 'button', className, onclick }, this.#say(name));
  }
}
