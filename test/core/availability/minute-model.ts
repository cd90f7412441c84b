/**
 * The model of bookable times: it checks for every minute whether it is worked and taken, and tries every combination
 * of staff and rooms. It is slow, but simple enough to be trusted.
 */
import { resourceCalendar, staffCalendar } from '../../../core/availability/calendar-day.ts';
import type { Interval } from '../../../core/availability/intervals.ts';
import type { StaffItem } from '../../../core/catalog/items.ts';
import { modelFreeStarts } from './intl-model.ts';
import type { RandomBusiness } from './random-businesses.ts';

const minutesOf = ({ start, end }: Interval) => Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);

/** The model's result for a start: the staff members of each combination with its cost, or nothing. */
export class Model {
  readonly #business: RandomBusiness;
  readonly #worked = new Map<string, ReadonlySet<number>>();
  readonly #taken = new Map<string, ReadonlySet<number>>();

  constructor(business: RandomBusiness) {
    this.#business = business;
    for (const [calendar, times] of business.taken) this.#taken.set(calendar, new Set(times.flatMap(minutesOf)));
  }

  /** The starts at which an appointment fits into a member's hours; where asked, also on the grid and in time. */
  #inHours(staff: StaffItem, durationMinutes: number, isFirst: boolean): ReadonlySet<number> {
    const name = `${staff.id} ${durationMinutes} ${isFirst}`;
    const known = this.#worked.get(name);
    if (known) return known;
    const { choices, now, range, shown } = this.#business;
    const { slotStepMinutes, minNoticeMinutes, maxAdvanceDays } = choices.business.bookingRules;
    const rules = isFirst
      ? { slotStepMinutes, minNoticeMinutes, maxAdvanceDays }
      : { slotStepMinutes: 1, minNoticeMinutes: 0, maxAdvanceDays: 1_000_000 };
    const starts = modelFreeStarts(
      {
        service: { durationMinutes, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
        ...{ rules, timeZone: choices.business.timeZone, schedule: staff.schedule, busy: [] },
        now: isFirst ? now : 0,
        range: { start: range.start, end: range.end + choices.durationMinutes },
      },
      shown,
    );
    const set = new Set(starts);
    this.#worked.set(name, set);
    return set;
  }

  /** Whether the runs in these calendars, by part, overlap neither taken time nor each other. */
  #isClear(
    calendars: readonly (string | undefined)[],
    start: number,
    blocks: (calendar: string) => readonly Interval[],
  ) {
    const { parts } = this.#business.choices;
    const own = new Map<string, Set<number>>();
    for (let i = 0; i < parts.length; ) {
      const calendar = calendars[i];
      let last = i;
      while (calendar !== undefined && calendars[last + 1] === calendar) last++;
      const [from, to] = [parts[i], parts[last]];
      if (calendar !== undefined && from && to) {
        const mine = own.get(calendar) ?? new Set<number>();
        const blocked = new Set(blocks(calendar).flatMap(minutesOf));
        const end = start + to.offset + to.durationMinutes + to.bufferAfterMinutes;
        for (const minute of minutesOf({ start: start + from.offset - from.bufferBeforeMinutes, end })) {
          if (this.#taken.get(calendar)?.has(minute) || blocked.has(minute) || mine.has(minute)) return false;
          mine.add(minute);
        }
        own.set(calendar, mine);
      }
      i = last + 1;
    }
    return true;
  }

  #load(calendar: string, start: number): number {
    const day = this.#business.choices.calendars.days.get(calendar)?.get(Math.floor(start / 1_440));
    return (day?.busy.length ?? 0) / 4;
  }

  hasRooms(start: number): boolean {
    const { parts, resources } = this.#business.choices;
    const able = parts.map(({ service: { resourceKind } }) =>
      resourceKind === null
        ? [undefined]
        : resources.filter(({ kind, active }) => active && kind === resourceKind).map(({ id }) => resourceCalendar(id)),
    );
    return everyWay<string | undefined>(able).some((rooms) => this.#isClear(rooms, start, () => []));
  }

  /** The possible combinations, without regard to rooms, as ids of staff members with their cost. */
  combinations(start: number): { ids: readonly number[]; load: number; runs: number }[] {
    const { parts, staff } = this.#business.choices;
    const able = parts.map(({ service, staffId, offset, durationMinutes }, i) =>
      staff.filter(
        (one) =>
          service.active &&
          one.active &&
          service.staffIds.includes(one.id) &&
          (staffId ?? one.id) === one.id &&
          this.#inHours(one, durationMinutes, false).has(start + offset) &&
          (i > 0 || this.#inHours(one, durationMinutes, true).has(start)),
      ),
    );
    return everyWay(able)
      .map((members) => members.map(({ id }) => id))
      .filter((ids) =>
        this.#isClear(ids.map(staffCalendar), start, (calendar) => this.#business.blocks.get(Number(calendar)) ?? []),
      )
      .map((ids) => ({
        ids,
        load: ids.reduce((sum, id) => sum + this.#load(staffCalendar(id), start), 0),
        runs: ids.filter((id, i) => id !== ids[i - 1]).length,
      }));
  }

  /** For a class: the staff members whose occurrence at this time has free places. */
  joinable(start: number): number[] {
    const {
      parts: [part],
      staff,
    } = this.#business.choices;
    const taken = {
      start: start - part.bufferBeforeMinutes,
      end: start + part.durationMinutes + part.bufferAfterMinutes,
    };
    return staff
      .filter(
        (one) =>
          part.service.active &&
          one.active &&
          part.service.staffIds.includes(one.id) &&
          (part.staffId ?? one.id) === one.id &&
          this.#inHours(one, part.durationMinutes, true).has(start) &&
          this.#business.occurrences.some(
            (of) => of.staffId === one.id && of.start === start && of.remaining >= this.#business.places,
          ) &&
          !minutesOf(taken).some((minute) =>
            (this.#business.blocks.get(one.id) ?? []).some((block) => block.start <= minute && minute < block.end),
          ),
      )
      .map(({ id }) => id);
  }
}

function everyWay<T>(able: readonly (readonly T[])[]): T[][] {
  return able.reduce<T[][]>((ways, some) => ways.flatMap((way) => some.map((one) => [...way, one])), [[]]);
}
