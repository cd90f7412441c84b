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
import type { CreateHoldInput } from '../generated/operations.ts';
import type { Business, ChangedBooking, Service, Slot } from '../generated/types.ts';
import { type Api, type Appointment, apiAt, now, Refused, type Unanswered } from './api.ts';
import { calendarFile } from './calendar-file.ts';
import { type Choice, choiceKey, storeChoice, storedChoice } from './choice.ts';
import { bar, type Child, h, row } from './draw.ts';
import { contactForm, filledIn, placesForm } from './forms.ts';
import { HeldTime, releaseLostHold, type Session, sendAgain, sentBooking, sentHold } from './held-time.ts';
import { type Action, type OnTaken, Screen } from './screen.ts';
import { severalServices } from './several-services.ts';
import { texts as english, type Say, type Texts } from './texts.ts';
import { bodyOf, bookableServices, queryOf, visitMin } from './visit.ts';
import { Wording } from './wording.ts';

/** On a server this class does not exist, and nothing is drawn. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;
const daysShown = 28;
const dayMs = 86_400_000;
/** The most that a business allows. */
const advanceDaysMax = 730;
const nothing: Choice = { token: '', serviceIds: [], from: 0 };

export class BookingSlots extends Base {
  /** A framework may set the token after it has drawn the element. */
  static readonly observedAttributes = ['api', 'token', 'booking', 'bookings', 'may'];
  /** Texts that replace the English ones. A page may set them before this script runs. */
  declare texts: Partial<Texts>;
  /** The page may be in another language, and from right to left. */
  readonly #say: Say = (name) => this.texts[name] ?? h('span', { lang: 'en', dir: 'ltr' }, english[name]);
  readonly #screen = new Screen(this, this.#say, (refused) => this.#refused(refused));
  readonly #wording = new Wording(this, this.#say);
  #api: Api = () => Promise.reject(new Refused('', 'over'));
  #unanswered: Unanswered = new Map();
  /** The request for the business. */
  #asked: Promise<Business | undefined> | undefined;
  /** The key of the choice in the storage of the tab. */
  #key = '';
  #choice: Choice = nothing;
  #appointment: Appointment | undefined;
  #isMoving = false;
  /** How many bookings the session may still make. */
  #left = 0;
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
      const [api, token, booking, bookings] = given;
      this.#appointment = undefined;
      this.#isMoving = false;
      this.#key = choiceKey(this);
      const before = token && !booking ? storedChoice(this.#key, token) : undefined;
      const left = before?.token === token ? before?.left : undefined;
      this.#left = left ?? Number(bookings ?? (booking ? 0 : 1));
      this.#unanswered = new Map([before?.sent, before?.sentHold].filter((sent) => sent !== undefined));
      this.#choice = before ?? nothing;
      const isSent = before?.sent || before?.sentHold || before?.booked;
      this.#use(isSent ? before.token : (token ?? ''));
      if (!api || !token) return this.#screen.show(this.#say('loading'));
      void this.#screen.step(() => {
        if (booking) return this.#manage(booking);
        return isSent ? this.#resume(before, token) : this.#services(before);
      });
    });
  }

  #use(token: string): void {
    this.#choice = { ...this.#choice, token };
    const call = apiAt(this.getAttribute('api') ?? '', token, this.#unanswered);
    // A call of an earlier start never resolves, so that its response is not drawn.
    const current: Api = (...args) =>
      new Promise((resolve, reject) => {
        const ifCurrent =
          <T>(settle: (value: T) => void) =>
          (value: T) =>
            this.#api === current && settle(value);
        call<never>(...args).then(ifCurrent(resolve), ifCurrent(reject));
      });
    this.#api = current;
    this.#asked = undefined;
  }

  /** The business, if the session may read it: the link to an appointment may only if it allows a move. */
  #business(): Promise<Business | undefined> {
    if (!this.#may('move')) return Promise.resolve(undefined);
    this.#asked ??= this.#api<Business>('GET', '/business').then(
      (business) => {
        this.#tell('business', business);
        return business;
      },
      () => {
        this.#asked = undefined;
        return undefined;
      },
    );
    return this.#asked;
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Returns how to show the appointment that an error names, or that of the element. */
  #refused({ code, say, bookingId }: Refused): Action | undefined {
    this.#tell('failed', { code });
    if (say === 'notAllowed') this.#left = 0;
    const id = bookingId ?? this.#appointment?.id;
    return id === undefined ? undefined : () => this.#manage(String(id));
  }

  #may(right: string): boolean {
    return (this.getAttribute('may') ?? 'read move cancel').split(/\W+/).includes(right);
  }

  /** `before` is the choice before a reload. */
  async #services(before?: Choice): Promise<void> {
    if (!before) this.#keep({ serviceIds: [], day: undefined });
    void this.#business();
    const data = await bookableServices(this.#api);
    const [only] = data;
    this.#offered = data;
    if (!only) return this.#screen.show(this.#say('noServices'));
    if (before?.serviceIds.length && before.serviceIds.every((id) => data.some((service) => service.id === id))) {
      const from = Math.max(before.from, now());
      if (!before.day) return this.#days(before.serviceIds, from);
      this.#choice = { ...this.#choice, from };
      await this.#times(before.day);
      return;
    }
    if (data.length === 1) return this.#days([only.id]);
    const list = this.#wording.list(data, (service) => {
      const open = () => this.#screen.step(() => this.#days([service.id]));
      const text = service.description || null;
      // A screen reader reads the description after the name of the button, not as a part of it.
      const description = text ? h('small', { ariaHidden: 'true' }, text) : undefined;
      const about = [...this.#wording.about(service), description];
      return h('button', { part: 'slot', onclick: open, ariaDescription: text }, ...about);
    });
    const single = data.filter(({ capacity }) => capacity === 1);
    const several =
      single.length < visitMin ? undefined : this.#screen.button('several', async () => this.#visit(single));
    const ways = [this.#toAppointment(), several];
    this.#screen.show(this.#say('service'), ...list, ways.some(Boolean) ? bar(row(...ways)) : undefined);
  }

  #visit(services: readonly Service[]): void {
    const days = (serviceIds: readonly number[]) => this.#days(serviceIds);
    const choice = severalServices(this.#screen, this.#wording, services, this.#back(), days);
    this.#screen.show(this.#say('visit'), h('p', {}, this.#say('visitCount')), ...choice);
  }

  async #days(serviceIds: readonly number[], from = now()): Promise<void> {
    this.#keep({ serviceIds, from, day: undefined });
    // West of UTC the date may still be the previous one.
    const date = (time: number) => new Date(time - dayMs / 2).toISOString().slice(0, 10);
    const to = date(from + (daysShown - 1) * dayMs);
    const query = `${queryOf(serviceIds, this.#moved)}&from=${date(from)}&to=${to}`;
    const [{ data: listed, timeZone }, business] = await Promise.all([
      this.#slots<{ date: string; count: number }>(`/slots/days?${query}`),
      this.#business(),
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
      return await this.#api('GET', path);
    } catch (error) {
      const { code } = error as Refused;
      const isGone = this.#moved && ['not_found', 'validation_failed'].includes(code);
      throw isGone ? new Refused(code, 'noMove') : error;
    }
  }

  /** Keeps the choice for a reload, which ends a move. */
  #keep(change: Partial<Choice>): void {
    this.#choice = { ...this.#choice, ...change };
    if (this.#isMoving) return;
    const requests = { sent: sentBooking(this.#unanswered), sentHold: sentHold(this.#unanswered) };
    storeChoice(this.#key, { ...this.#choice, ...requests });
  }

  get #session(): Session {
    return {
      api: this.#api,
      unanswered: this.#unanswered,
      store: () => this.#keep({}),
      forget: () => storeChoice(this.#key, { ...this.#choice, sent: undefined }),
      onHeld: (detail) => this.#tell('held', detail),
    };
  }

  get #chosenServices(): readonly Service[] {
    return this.#choice.serviceIds.flatMap((id) => this.#offered.find((service) => service.id === id) ?? []);
  }

  /** Names what a day or a time in this zone is chosen for: the services, or the appointment to move. */
  #chosen(timeZone: string): Child {
    const moved = this.#moved;
    if (!moved) return h('p', {}, ...this.#wording.about(...this.#chosenServices));
    const when = this.#wording.when(moved.startTime, moved.timeZone, true, timeZone);
    const names = this.#wording.names(moved.segments.map(({ serviceName }) => serviceName));
    return h('p', {}, names, h('small', {}, this.#say('oldTime'), ' ', ...when));
  }

  get #moved(): Appointment | undefined {
    return this.#isMoving ? this.#appointment : undefined;
  }

  /** Leads back to the services if there are several, or to the appointment. */
  #back(): HTMLButtonElement | undefined {
    if (this.#moved || this.#offered.length < 2) return this.#toAppointment();
    return this.#screen.button('back', () => this.#services());
  }

  #toAppointment(): HTMLButtonElement | undefined {
    const appointment = this.#appointment;
    return appointment && this.#screen.button('back', () => this.#manage(String(appointment.id)));
  }

  /** `taken` has just been taken. If it is a class, some of its places may be left. */
  async #times(day: string, taken?: Slot): Promise<keyof Texts | undefined> {
    const moved = this.#moved;
    this.#keep({ day });
    await releaseLostHold(this.#session);
    const query = `${queryOf(this.#choice.serviceIds, moved)}&from=${day}&to=${day}`;
    const { data, timeZone } = await this.#slots<Slot>(`/slots?${query}`);
    if (data.length === 0) {
      await this.#days(this.#choice.serviceIds, this.#choice.from);
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
        if (moved) return this.#askToMove(moved, slot, timeZone, onTaken);
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
      this.#screen.button('back', () => this.#days(this.#choice.serviceIds, this.#choice.from)),
    );
    return undefined;
  }

  /** Lets the visitor choose the number of places, up to those that are left at the start time. */
  #places(slot: Slot, day: string, timeZone: string): void {
    const { remaining = 1, startTime } = slot;
    const form = placesForm(this.#say, remaining);
    form.onsubmit = (event) => {
      event.preventDefault();
      const act = () => this.#details(slot, day, Number(filledIn(form).places));
      void this.#screen.step(act, () => this.#times(day, slot));
    };
    this.#screen.show(
      this.#say('howMany'),
      this.#chosen(timeZone),
      h('p', {}, ...this.#wording.when(startTime, timeZone)),
      form,
      this.#screen.button('back', () => this.#times(day)),
    );
  }

  /** The slot is held while the visitor fills in the form. */
  async #details(slot: Slot, day: string, places = 1): Promise<void> {
    const time = new HeldTime(this.#session, bodyOf(slot, places));
    const hold = await time.hold();
    const form = contactForm(this.#say, this.#choice.entered);
    form.oninput = () => {
      this.#keep({ entered: Object.fromEntries(new FormData(form)) });
    };
    form.onsubmit = (event) => {
      event.preventDefault();
      const { comment, ...client } = filledIn(form);
      if (!client.name) return this.#screen.problem('nameMissing', 'name');
      if (!client.phone && !client.email) return this.#screen.problem('contact', 'phone');
      const act = async () => this.#booked(await time.book({ client, ...(comment && { comment }) }));
      void this.#screen.step(act, () => this.#times(day, slot));
    };
    this.#leave = () => {
      const isShown = this.shadowRoot?.contains(form);
      if (isShown && !sentBooking(this.#unanswered)) void time.release().catch(() => undefined);
    };
    const leave = async () => {
      const booking = await time.withdraw();
      if (booking) this.#booked(booking);
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
  }

  #booked(booking: Appointment): void {
    this.#appointment = booking;
    this.#left -= 1;
    this.#choice = { ...nothing, token: this.#choice.token, booked: booking.id, left: this.#left };
    storeChoice(this.#key, this.#choice);
    this.#tell('booked', booking);
    this.#summary(booking.status === 'pending' ? 'waiting' : 'booked');
  }

  /**
   * Shows the booking of before a reload, or sends it again if it has no response. Only the session that made it may do
   * so. If it is refused, its visitor chooses again in the session of the page, with the form filled in.
   */
  async #resume(before: Choice, token: string): Promise<void> {
    const { sent, booked } = before;
    let refused: Refused | undefined;
    await releaseLostHold(this.#session);
    try {
      if (sent) return this.#booked(await sendAgain(this.#session, sent));
      if (booked) return await this.#manage(String(booked));
    } catch (error) {
      if (sentBooking(this.#unanswered) || !(error instanceof Refused) || (booked && error.say !== 'over')) throw error;
      if (error.say === 'unsure' && token === before.token) throw error;
      refused = error;
    }
    if (booked) this.#choice = { ...nothing, left: this.#left };
    this.#use(token);
    await this.#services(booked ? undefined : before);
    // A session that has ended is no longer used.
    if (sent && refused) this.#screen.problem(refused.say === 'over' ? 'failed' : refused.say);
  }

  async #manage(id: string): Promise<void> {
    this.#isMoving = false;
    void this.#business();
    this.#appointment = await this.#api<Appointment>('GET', `/bookings/${id}`);
    this.#summary(this.#state());
  }

  #state(): keyof Texts {
    const titles: Partial<Record<string, keyof Texts>> = { cancelled: 'cancelled', pending: 'waiting' };
    return titles[this.#appointment?.status ?? ''] ?? 'yours';
  }

  #summary(title: keyof Texts): void {
    const appointment = this.#appointment as Appointment;
    const { startTime, status, places } = appointment;
    const isOpen = (status === 'pending' || status === 'confirmed') && Date.parse(startTime) > now();
    const link = h('a', { className: 'button', part: 'button', download: 'appointment.ics' }, this.#say('calendar'));
    const linkTo = (business?: Business) => {
      link.href = `data:text/calendar;charset=utf-8,${encodeURIComponent(calendarFile(appointment, business))}`;
    };
    linkTo();
    if (isOpen) void this.#business().then(linkTo);
    this.#screen.show(
      this.#say(title),
      ...this.#wording.parts(appointment, places),
      row(
        isOpen ? link : undefined,
        isOpen && this.#may('move') ? this.#screen.button('move', () => this.#startMove()) : undefined,
        isOpen && this.#may('cancel') ? this.#screen.button('cancel', async () => this.#askToCancel()) : undefined,
        this.#left > 0 ? this.#screen.button('another', () => this.#another()) : undefined,
      ),
    );
  }

  /** The session of an appointment that was booked before a reload may have no bookings left. */
  #another(): Promise<void> {
    const token = this.getAttribute('token') ?? '';
    if (token !== this.#choice.token) this.#appointment = undefined;
    this.#choice = { ...nothing, left: this.#left };
    this.#use(token);
    return this.#services();
  }

  #startMove(): Promise<void> {
    this.#isMoving = true;
    return this.#days(this.#appointment?.segments.map(({ serviceId }) => serviceId) ?? []);
  }

  /** A tap on a time alone moves nothing: a visitor who scrolls a list taps by accident. */
  async #askToMove(moved: Appointment, slot: Slot, timeZone: string, times: OnTaken): Promise<void> {
    const { startTime, staffId, segments } = slot;
    const move = async () => {
      const body = { startTime, ...(!segments && { staffId }) };
      this.#appointment = await this.#api<Appointment>('POST', `/bookings/${moved.id}/reschedule`, body);
      this.#isMoving = false;
      this.#tell('moved', this.#appointment);
      this.#summary('moved');
    };
    this.#screen.show(
      this.#say('reallyMove'),
      h('p', {}, this.#say('oldTime'), h('br'), ...this.#wording.when(moved.startTime, moved.timeZone, true, timeZone)),
      h('p', {}, this.#say('newTime'), h('br'), ...this.#wording.when(startTime, timeZone, true, moved.timeZone)),
      row(this.#screen.button('move', move, true, times), this.#screen.button('back', times)),
    );
  }

  #askToCancel(): void {
    const appointment = this.#appointment as Appointment;
    const cancel = async () => {
      this.#appointment = await this.#api<Appointment>('POST', `/bookings/${appointment.id}/cancel`);
      this.#tell('cancelled', this.#appointment);
      this.#summary('cancelled');
    };
    // The cancellation may have been made, although its response was lost.
    const keep = () => this.#manage(String(appointment.id));
    this.#screen.show(
      this.#say('reallyCancel'),
      ...this.#wording.parts(appointment, appointment.places),
      row(this.#screen.button('cancel', cancel, true), this.#screen.button('keep', keep)),
    );
  }
}

interface Events {
  readonly business: CustomEvent<Business>;
  readonly held: CustomEvent<CreateHoldInput & { readonly holdId: string }>;
  readonly booked: CustomEvent<ChangedBooking>;
  readonly moved: CustomEvent<ChangedBooking>;
  readonly cancelled: CustomEvent<ChangedBooking>;
  readonly failed: CustomEvent<{ readonly code: string }>;
}

interface EventSource {
  addEventListener<K extends keyof Events>(
    type: K,
    listener: (event: Events[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'booking-slots': EventSource & BookingSlots;
  }
}

if (globalThis.customElements && !customElements.get('booking-slots'))
  customElements.define('booking-slots', BookingSlots);
