/** Shows the appointment of a visitor, who can move and cancel it. */
import type { Business, Slot } from '../generated/types.ts';
import { type Appointment, now } from './api.ts';
import { calendarFile } from './calendar-file.ts';
import { h, row } from './draw.ts';
import type { OnTaken, Screen } from './screen.ts';
import type { Say, Texts } from './texts.ts';
import type { Visitor } from './visitor.ts';
import type { Wording } from './wording.ts';

interface Surroundings {
  readonly visitor: Visitor;
  readonly screen: Screen;
  readonly wording: Wording;
  readonly say: Say;
  /** Lets the visitor choose another time for the services of the appointment. */
  readonly chooseTime: (serviceIds: readonly number[]) => Promise<void>;
  /** Lets the visitor book another appointment. */
  readonly another: () => Promise<void>;
}

export function managedAppointment({ visitor, screen, wording, say, chooseTime, another }: Surroundings) {
  async function show(id: number | string): Promise<void> {
    visitor.isMoving = false;
    void visitor.business();
    const appointment = await visitor.api<Appointment>('GET', `/bookings/${id}`);
    const titles: Partial<Record<string, keyof Texts>> = { cancelled: 'cancelled', pending: 'waiting' };
    visitor.appointment = appointment;
    showSummary(appointment, titles[appointment.status] ?? 'yours');
  }

  function showBooked(booking: Appointment): void {
    visitor.booked(booking);
    showSummary(booking, booking.status === 'pending' ? 'waiting' : 'booked');
  }

  function showSummary(appointment: Appointment, title: keyof Texts): void {
    const { startTime, status, places, segments } = appointment;
    const isOpen = (status === 'pending' || status === 'confirmed') && Date.parse(startTime) > now();
    const link = h('a', { className: 'button', part: 'button', download: 'appointment.ics' }, say('calendar'));
    const linkTo = (business?: Business) => {
      link.href = `data:text/calendar;charset=utf-8,${encodeURIComponent(calendarFile(appointment, business))}`;
    };
    linkTo();
    if (isOpen) void visitor.business().then(linkTo);
    const startMove = () => {
      visitor.isMoving = true;
      return chooseTime(segments.map(({ serviceId }) => serviceId));
    };
    screen.show(
      say(title),
      ...wording.parts(appointment, places),
      row(
        isOpen ? link : undefined,
        isOpen && visitor.may('move') ? screen.button('move', startMove) : undefined,
        isOpen && visitor.may('cancel') ? screen.button('cancel', async () => askToCancel(appointment)) : undefined,
        visitor.left > 0 ? screen.button('another', another) : undefined,
      ),
    );
  }

  /** A tap on a time alone moves nothing: a visitor who scrolls a list taps by accident. */
  function askToMove(moved: Appointment, slot: Slot, timeZone: string, times: OnTaken): void {
    const { startTime, staffId, segments } = slot;
    const body = { startTime, ...(!segments && { staffId }) };
    const move = () => change(moved, 'reschedule', 'moved', body);
    screen.show(
      say('reallyMove'),
      h('p', {}, say('oldTime'), h('br'), ...wording.when(moved.startTime, moved.timeZone, true, timeZone)),
      h('p', {}, say('newTime'), h('br'), ...wording.when(startTime, timeZone, true, moved.timeZone)),
      row(screen.button('move', move, true, times), screen.button('back', times)),
    );
  }

  function askToCancel(appointment: Appointment): void {
    const cancel = () => change(appointment, 'cancel', 'cancelled');
    // The cancellation may have been made, although its response was lost.
    const keep = () => show(appointment.id);
    screen.show(
      say('reallyCancel'),
      ...wording.parts(appointment, appointment.places),
      row(screen.button('cancel', cancel, true), screen.button('keep', keep)),
    );
  }

  async function change({ id }: Appointment, how: string, done: 'moved' | 'cancelled', body?: object): Promise<void> {
    const changed = await visitor.api<Appointment>('POST', `/bookings/${id}/${how}`, body);
    visitor.appointment = changed;
    visitor.isMoving = false;
    visitor.tell(done, changed);
    showSummary(changed, done);
  }

  /** A button that leads back to the appointment, if there is one. */
  function back(): HTMLButtonElement | undefined {
    const { appointment } = visitor;
    return appointment && screen.button('back', () => show(appointment.id));
  }

  return { show, showBooked, askToMove, back };
}
