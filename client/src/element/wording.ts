/** How the element writes times, prices and the parts of an appointment, in the language of its page. */
import type { Service } from '../generated/types.ts';
import type { Times } from './api.ts';
import { type Child, h } from './draw.ts';
import { minorDigits } from './minor-units.ts';
import type { Say } from './texts.ts';

const hourMs = 3_600_000;

export class Wording {
  readonly #host: HTMLElement;
  readonly #say: Say;

  constructor(host: HTMLElement, say: Say) {
    this.#host = host;
    this.#say = say;
  }

  /** The language of the page, or the browser's if that is invalid, such as `de_DE` of some frameworks. */
  get #locale(): string | undefined {
    const { lang } = this.#host.closest<HTMLElement>('[lang]') ?? document.documentElement;
    try {
      return Intl.getCanonicalLocales(lang.replaceAll('_', '-'))[0];
    } catch {
      return undefined;
    }
  }

  format(time: string | number, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.#locale, options).format(new Date(time));
  }

  /** Two dates, `2026-12-24`, and the days between them. */
  dates(from: string, to: string): string {
    return new Intl.DateTimeFormat(this.#locale, { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
      new Date(from),
      new Date(to),
    );
  }

  /** The names of services, with their duration and price together. */
  about(...services: readonly Service[]): readonly Child[] {
    return [this.names(services.map(({ name }) => name)), h('small', {}, this.cost(services))];
  }

  /** Isolates each of several names, so that one in a script from right to left does not change their order. */
  names(names: readonly string[]): string {
    return names.length > 1 ? names.map((name) => `\u2068${name}\u2069`).join(', ') : names.join();
  }

  /** Duration and price of services one after the other, or of several places. A price of 0 is not shown. */
  cost(services: readonly Service[], places = 1): string {
    const sum = (of: (service: Service) => number) => services.reduce((total, service) => total + of(service), 0);
    const inMinutes = new Intl.NumberFormat(this.#locale, { style: 'unit', unit: 'minute' });
    const minutes = inMinutes.format(sum(({ durationMinutes }) => durationMinutes));
    const amount = sum(({ price }) => price.amount) * places;
    const currency = services[0]?.price.currency;
    if (amount === 0 || !currency) return minutes;
    const digits = minorDigits(currency);
    const options = {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    } as const;
    return `${minutes} · ${new Intl.NumberFormat(this.#locale, options).format(amount / 10 ** digits)}`;
  }

  /** A button for each service, under the headings of the business. Services without a heading come first. */
  list(services: readonly Service[], button: (service: Service) => HTMLButtonElement): readonly Child[] {
    const headings = [...new Set(services.map(({ category }) => category ?? ''))].sort(
      (a, b) => Number(b === '') - Number(a === ''),
    );
    return headings.flatMap((heading) => {
      const items = services
        .filter(({ category }) => (category ?? '') === heading)
        .map((one) => h('li', {}, button(one)));
      return [heading && headings.length > 1 ? h('h3', {}, heading) : undefined, h('ul', {}, ...items)];
    });
  }

  /**
   * Shows the time in the zone of the business and, if it differs, in the visitor's zone below it. `otherZone` is the
   * zone of a time that is shown beside this one: the business may have changed its zone since the booking.
   */
  when(time: string, timeZone: string, withDate = true, otherZone = timeZone): readonly Child[] {
    const wall = (at: number) => this.format(at, { dateStyle: 'short', timeStyle: 'short', timeZone });
    const at = Date.parse(time);
    // In the night when clocks go back, an hour comes twice. The long style names the zone.
    const isTwice = [at - hourMs, at + hourMs].some((other) => wall(other) === wall(at));
    const timeStyle = isTwice || otherZone !== timeZone ? 'long' : 'short';
    const dated = (dateStyle: 'full' | 'medium') => ({ ...(withDate && { dateStyle }), timeStyle }) as const;
    const theirs = this.format(time, { ...dated('full'), timeZone });
    if (theirs === this.format(time, dated('full'))) return [theirs];
    const day = (timeZone?: string) => this.format(time, { dateStyle: 'short', timeZone });
    const clock: Intl.DateTimeFormatOptions =
      withDate || day() === day(timeZone) ? dated('medium') : { weekday: 'short', hour: 'numeric', minute: '2-digit' };
    const here = this.format(time, clock);
    return [theirs, h('small', {}, `${here} `, this.#say('here'))];
  }

  /** Lists what is booked, with whom and when, for each part of a visit. */
  parts({ segments, startTime, timeZone }: Times, places: number): readonly Child[] {
    // Between two isolated names, the word keeps the order of the page if both are in a script from right to left.
    const who = segments.map(({ serviceName, staffName }) => [
      h('bdi', {}, serviceName),
      ' ',
      this.#say('with'),
      ' ',
      h('bdi', {}, staffName),
    ]);
    const when = this.when(startTime, timeZone);
    const count = places > 1 ? h('p', {}, this.#say('places'), `: ${places}`) : undefined;
    if (segments.length === 1) return [h('p', {}, ...(who[0] ?? []), h('br'), ...when), count];
    const clock = (time: string) => this.format(time, { timeStyle: 'short', timeZone });
    const items = segments.map((one, i) =>
      h('li', {}, ...(who[i] ?? []), h('small', {}, `${clock(one.startTime)} – ${clock(one.endTime)}`)),
    );
    return [h('p', {}, ...when), h('ol', {}, ...items)];
  }
}
