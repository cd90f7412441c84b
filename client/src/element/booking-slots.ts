/**
 * `<booking-slots>`: a visitor chooses a service or several, a day and a time, and books; or manages an appointment. It
 * needs a session (docs/rules.md#sessions) and no key.
 *
 * @example
 * <booking-slots api="https://api.example.com/v1/integration" token="bs_live_…"></booking-slots>
 *
 * Attributes: `api`, `token`, for a session that may book more than once `bookings` with the number that is left, and to
 * manage an appointment `booking` with its id and `may` with what the session may do.
 * Events: `business` with the business in `detail`, `held`, `booked`, `moved`, `cancelled` with the appointment, and
 * `failed` with `{ code }`.
 */
import type { Service, Slot } from '../generated/types.ts';
import { now, Refused } from './api.ts';
import type { Choice } from './choice.ts';
import { bar, type Child, h, row } from './draw.ts';
import type { EventSource } from './element-events.ts';
import { contactForm, filledIn, placesForm } from './forms.ts';
import { HeldTime, releaseLostHold, sendAgain } from './held-time.ts';
import { managedAppointment } from './managed-appointment.ts';
import { type Action, Screen } from './screen.ts';
import { severalServices } from './several-services.ts';
import { staffButtons } from './staff-choice.ts';
import { texts as english, type Say, type Texts } from './texts.ts';
import { bodyOf, bookableServices, queryOf, visitMin } from './visit.ts';
import { Visitor } from './visitor.ts';
import { Wording } from './wording.ts';

/** On a server this class does not exist, and nothing is drawn. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;
const daysShown = 28;
const dayMs = 86_400_000;
/** The most that a business allows. */
const advanceDaysMax = 730;

export class BookingSlots extends Base {
  /** A framework may set the token after it has drawn the element. */
  static readonly observedAttributes = ['api', 'token', 'booking', 'bookings', 'may'];
  /** The English texts, by the names under which a page replaces them. */
  static readonly texts: Texts = english;
  /** Texts that replace the English ones. A page may set them before this script runs. */
  declare texts: Partial<Texts>;
  /** The contact details with which the form begins. A page may set them before this script runs. */
  declare client?: { readonly name?: string; readonly phone?: string; readonly email?: string };
  /** The page may be in another language, and from right to left. */
  readonly #say: Say = (name) => this.texts[name] ?? h('span', { lang: 'en', dir: 'ltr' }, english[name]);
  readonly #screen = new Screen(this, this.#say, (refused) => this.#refused(refused));
  readonly #wording = new Wording(this, this.#say);
  readonly #visitor = new Visitor(this);
  readonly #appointment = managedAppointment({
    visitor: this.#visitor,
    screen: this.#screen,
    wording: this.#wording,
    say: this.#say,
    chooseTime: (serviceIds) => this.#days(serviceIds),
    another: () => this.#another(),
  });
  /** The services that the visitor can choose. */
  #offered: readonly Service[] = [];
  #isStarting = false;
  /** The attributes of the last start. */
  #started = '';

  /** Releases the hold of the form that is shown, unless its booking is sent. */
  #leave = () => {};

  constructor() {
    super();
    this.texts ??= {};
  }

  connectedCallback(): void {
    addEventListener('pagehide', this.#onPageHide);
    this.attributeChangedCallback();
  }

  /** A page may remove the element, and create another one later. */
  disconnectedCallback(): void {
    removeEventListener('pagehide', this.#onPageHide);
    queueMicrotask(() => this.isConnected || this.#leave());
  }

  /** After a reload, the time is free for its own visitor. A page that is cached can be shown again. */
  readonly #onPageHide = ({ persisted }: PageTransitionEvent) => persisted || this.#leave();

  /**
   * Starts once for all attributes that are set together, and shows a loading text until there is a token. An element
   * that is moved in its page, or gets equal values, does not restart.
   */
  attributeChangedCallback(): void {
    if (!this.isConnected || this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      const given = BookingSlots.observedAttributes.map((name) => this.getAttribute(name));
      const start = JSON.stringify(given);
      if (start === this.#started) return;
      this.#started = start;
      this.#leave();
      this.#leave = () => {};
      this.#screen.isUsed = false;
      const [api, token, booking] = given;
      const { before, isSent } = this.#visitor.begin();
      this.#screen.show(this.#say('loading'));
      if (!api || !token) return;
      void this.#screen.step(() => {
        if (booking) return this.#appointment.show(booking);
        return before && isSent ? this.#resume(before, token) : this.#services(before);
      });
    });
  }

  /** Returns how to show the appointment that an error names, or that of the element. */
  #refused({ code, say, bookingId }: Refused): Action | undefined {
    this.#visitor.tell('failed', { code });
    if (say === 'notAllowed') this.#visitor.left = 0;
    const id = bookingId ?? this.#visitor.appointment?.id;
    return id === undefined ? undefined : () => this.#appointment.show(id);
  }

  /** `before` is the choice before a reload. */
  async #services(before?: Choice): Promise<void> {
    if (!before) this.#visitor.keep({ serviceIds: [], day: undefined });
    void this.#visitor.business();
    const data = await bookableServices(this.#visitor.api);
    const [only] = data;
    this.#offered = data;
    if (!only) return this.#screen.show(this.#say('noServices'));
    if (before?.serviceIds.length && before.serviceIds.every((id) => data.some((service) => service.id === id))) {
      if (!before.day) return this.#days(before.serviceIds, before.from);
      await this.#times(before.day);
      return;
    }
    if (data.length === 1) return this.#days([only.id]);
    const list = this.#wording.list(data, (service) => {
      const open = () => this.#screen.step(() => this.#days([service.id]));
      const text = service.description;
      // A screen reader reads the description after the name of the button, not as a part of it.
      const description = text ? h('small', { 'aria-hidden': 'true' }, h('bdi', {}, text)) : undefined;
      const about = [...this.#wording.about(service), description];
      return h('button', { part: 'slot', onclick: open, ...(text && { 'aria-description': text }) }, ...about);
    });
    const single = data.filter(({ capacity }) => capacity === 1);
    const several =
      single.length < visitMin ? undefined : this.#screen.button('several', async () => this.#visit(single));
    const ways = [this.#appointment.back(), several];
    this.#screen.show(this.#say('service'), ...list, ways.some(Boolean) ? bar(row(...ways)) : undefined);
  }

  #visit(services: readonly Service[]): void {
    const days = (serviceIds: readonly number[]) => this.#days(serviceIds);
    const choice = severalServices(this.#screen, this.#wording, services, this.#back(), days);
    this.#screen.show(this.#say('visit'), h('p', {}, this.#say('visitCount')), ...choice);
  }

  async #days(serviceIds: readonly number[], earliest = 0): Promise<void> {
    const from = Math.max(earliest, now());
    this.#visitor.keep({ serviceIds, from, day: undefined });
    // West of UTC the date may still be the previous one.
    const date = (time: number) => new Date(time - dayMs / 2).toISOString().slice(0, 10);
    const to = date(from + (daysShown - 1) * dayMs);
    const query = `${queryOf(serviceIds, this.#visitor.moved, this.#member)}&from=${date(from)}&to=${to}`;
    const [{ data: listed, timeZone }, business, members] = await Promise.all([
      this.#slots<{ date: string; count: number }>(`/slots/days?${query}`),
      this.#visitor.business(),
      this.#members(),
    ]);
    const dateThere = (time: number) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(time);
    const today = dateThere(now());
    const last = dateThere(now() + (business?.bookingRules.maxAdvanceDays ?? advanceDaysMax) * dayMs);
    const data = listed.filter((day) => day.date >= today && day.date <= last);
    const isFree = data.some(({ count }) => count > 0);
    const items = data.map(({ date: day, count }) => {
      const label = this.#wording.format(`${day}T12:00:00Z`, {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
        timeZone: 'UTC',
      });
      const open = () => this.#screen.step(() => this.#times(day));
      return h('li', {}, h('button', { part: 'slot', disabled: count === 0, onclick: open }, label));
    });
    this.#screen.show(
      this.#say('day'),
      this.#chosen(timeZone),
      ...members,
      isFree
        ? h('ul', { className: 'days' }, ...items)
        : h(
            'p',
            {},
            this.#say('noTimes'),
            h('small', {}, this.#wording.dates(data[0]?.date ?? today, data.at(-1)?.date ?? to)),
          ),
      row(
        this.#back(),
        from - dayMs > now()
          ? this.#screen.button('earlier', () => this.#days(serviceIds, from - daysShown * dayMs))
          : undefined,
        to < last
          ? this.#screen.button('later', () => this.#days(serviceIds, from + daysShown * dayMs), !isFree)
          : undefined,
      ),
    );
  }

  /** A service or a staff member of the appointment to move may be deleted, although the link is valid. */
  async #slots<T>(path: string): Promise<{ data: T[]; timeZone: string }> {
    try {
      return await this.#visitor.api('GET', path);
    } catch (error) {
      const { code } = error as Refused;
      const isGone = this.#visitor.moved && ['not_found', 'validation_failed'].includes(code);
      throw isGone ? new Refused(code, 'noMove') : error;
    }
  }

  get #chosenServices(): readonly Service[] {
    return this.#visitor.choice.serviceIds.flatMap((id) => this.#offered.find((service) => service.id === id) ?? []);
  }

  /** The only service of a booking, which several staff members perform. */
  get #shared(): Service | undefined {
    const [service, ...others] = this.#chosenServices;
    const isShared = !this.#visitor.moved && others.length === 0 && (service?.staffIds.length ?? 0) > 1;
    return isShared ? service : undefined;
  }

  /** The staff member whom the visitor has chosen, unless that one does not perform the service. */
  get #member(): number | undefined {
    return this.#shared?.staffIds.find((id) => id === this.#visitor.choice.staffId);
  }

  async #members(): Promise<readonly Child[]> {
    const service = this.#shared;
    if (!service) return [];
    const onChoose = (staffId: number | undefined) => {
      this.#visitor.keep({ staffId });
      return this.#days([service.id], this.#visitor.choice.from);
    };
    return staffButtons(this.#visitor.api, this.#screen, this.#say, { service, chosen: this.#member, onChoose });
  }

  /** Names what a day or a time in this zone is chosen for: the services, or the appointment to move. */
  #chosen(timeZone: string): Child {
    const { moved } = this.#visitor;
    if (!moved) return h('p', {}, ...this.#wording.about(...this.#chosenServices));
    const when = this.#wording.when(moved.startTime, moved.timeZone, true, timeZone);
    const names = this.#wording.names(moved.segments.map(({ serviceName }) => serviceName));
    return h('p', {}, names, h('small', {}, this.#say('oldTime'), ' ', ...when));
  }

  /** Leads back to the services if there are several, or to the appointment. */
  #back(): HTMLButtonElement | undefined {
    if (this.#visitor.moved || this.#offered.length < 2) return this.#appointment.back();
    return this.#screen.button('back', () => this.#services());
  }

  /** `taken` has just been taken. If it is a class, some of its places may be left. */
  async #times(day: string, taken?: Slot): Promise<keyof Texts | undefined> {
    const { moved } = this.#visitor;
    this.#visitor.keep({ day });
    await releaseLostHold(this.#visitor.session);
    const query = `${queryOf(this.#visitor.choice.serviceIds, moved, this.#member)}&from=${day}&to=${day}`;
    const { data, timeZone } = await this.#slots<Slot>(`/slots?${query}`);
    if (data.length === 0) {
      await this.#days(this.#visitor.choice.serviceIds, this.#visitor.choice.from);
      // A day that was chosen before a reload may be over.
      if (this.#screen.isUsed) this.#screen.problem('noTimesDay');
      return undefined;
    }
    const left = data.find((slot) => slot.startTime === taken?.startTime && slot.staffId === taken.staffId);
    if (left?.remaining && !moved) {
      this.#places(left, day, timeZone);
      return 'tooFew';
    }
    // If several staff members are free at a time, the one of a moved appointment is used, or else the first.
    const own = data.filter(({ staffId }) => staffId === moved?.segments[0]?.staffId);
    const chosen = new Map([...[...data].reverse(), ...own].map((slot) => [slot.startTime, slot]));
    const items = [...chosen.values()].reverse().map((slot) => {
      const clock = this.#wording.when(slot.startTime, timeZone, false);
      const places = slot.remaining === undefined ? undefined : h('small', {}, `${slot.remaining} `, this.#say('left'));
      // The current time of a moved appointment counts as free.
      const disabled = Date.parse(slot.startTime) === Date.parse(moved?.startTime ?? '');
      const onTaken = () => this.#times(day, slot);
      const choose = async () => {
        if (moved) return this.#appointment.askToMove(moved, slot, timeZone, onTaken);
        return (slot.remaining ?? 1) > 1 ? this.#places(slot, day, timeZone) : this.#details(slot, day);
      };
      return h(
        'li',
        {},
        h('button', { part: 'slot', disabled, onclick: () => this.#screen.step(choose, onTaken) }, ...clock, places),
      );
    });
    const isElsewhere = Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone;
    this.#screen.show(
      [this.#say('time'), ` ${this.#wording.format(`${day}T12:00:00Z`, { dateStyle: 'full', timeZone: 'UTC' })}`],
      this.#chosen(timeZone),
      isElsewhere ? h('small', {}, this.#say('timesOf'), `: ${timeZone}`) : undefined,
      h('ul', { className: 'times' }, ...items),
      this.#screen.button('back', () => this.#days(this.#visitor.choice.serviceIds, this.#visitor.choice.from)),
    );
    return undefined;
  }

  /** Lets the visitor choose the number of places, up to those that are left at the start time. */
  #places(slot: Slot, day: string, timeZone: string): void {
    const form = placesForm(this.#say, slot.remaining ?? 1);
    form.onsubmit = (event) => {
      event.preventDefault();
      const act = () => this.#details(slot, day, Number(filledIn(form).places));
      void this.#screen.step(act, () => this.#times(day, slot));
    };
    this.#screen.show(
      this.#say('howMany'),
      this.#chosen(timeZone),
      h('p', {}, ...this.#wording.when(slot.startTime, timeZone)),
      form,
      this.#screen.button('back', () => this.#times(day)),
    );
  }

  /** The slot is held while the visitor fills in the form. */
  async #details(slot: Slot, day: string, places = 1): Promise<void> {
    const time = new HeldTime(this.#visitor.session, bodyOf(slot, places));
    const hold = await time.hold();
    const form = contactForm(this.#say, this.#visitor.choice.entered ?? this.client);
    form.oninput = () => this.#visitor.keep({ entered: Object.fromEntries(new FormData(form)) });
    form.onsubmit = (event) => {
      event.preventDefault();
      const { comment, ...client } = filledIn(form);
      if (!client.name) return this.#screen.problem('nameMissing', 'name');
      if (!client.phone && !client.email) return this.#screen.problem('contact', 'phone');
      const act = async () => this.#appointment.showBooked(await time.book({ client, ...(comment && { comment }) }));
      void this.#screen.step(act, () => this.#times(day, slot));
    };
    this.#leave = () => {
      const isShown = this.shadowRoot?.contains(form);
      if (isShown && !this.#visitor.sentBooking) void time.release().catch(() => undefined);
    };
    const leave = async () => {
      const booking = await time.withdraw();
      if (booking) this.#appointment.showBooked(booking);
      else await this.#times(day);
    };
    this.#screen.show(
      this.#say('details'),
      ...this.#wording.parts(hold, places),
      h('small', {}, this.#wording.cost(this.#chosenServices, places)),
      form,
      this.#screen.button('back', leave),
    );
    form.querySelector('input')?.focus();
    // The page may have removed the element while the hold was requested.
    if (!this.isConnected) this.#leave();
  }

  /**
   * Shows the booking that was made before a reload, or sends its request again if there was no response. Only the
   * session that made it may do so. If it is refused, its visitor chooses again in the session of the page, with the
   * form filled in.
   */
  async #resume(before: Choice, token: string): Promise<void> {
    const { sent, booked } = before;
    let refused: Refused | undefined;
    const visitor = this.#visitor;
    await releaseLostHold(visitor.session);
    try {
      if (sent) return this.#appointment.showBooked(await sendAgain(visitor.session, sent));
      if (booked) return await this.#appointment.show(booked);
    } catch (error) {
      if (visitor.sentBooking || !(error instanceof Refused) || (booked && error.say !== 'over')) throw error;
      if (error.say === 'unsure' && token === before.token) throw error;
      refused = error;
    }
    if (booked) visitor.chooseAgain(token);
    else visitor.use(token, visitor.choice);
    await this.#services(booked ? undefined : before);
    // A session that has ended is no longer used.
    if (sent && refused) this.#screen.problem(refused.say === 'over' ? 'failed' : refused.say);
  }

  /** The session of an appointment that was booked before a reload may have no bookings left. */
  #another(): Promise<void> {
    const visitor = this.#visitor;
    const token = this.getAttribute('token') ?? '';
    if (token !== visitor.choice.token) visitor.appointment = undefined;
    visitor.chooseAgain(token);
    return this.#services();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'booking-slots': EventSource & BookingSlots;
  }
}

if (globalThis.customElements && !customElements.get('booking-slots'))
  customElements.define('booking-slots', BookingSlots);
