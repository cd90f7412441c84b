/** Free times to choose from: a week by days, or a few of them. */
import { element } from './elements.js';
import { clock, day, plus } from './words.js';

/**
 * The seven days from a date; the first with a free time is open. `choose` gets a time and those who are free at it.
 * @param {string} from
 * @param {{ startTime: string, staffId: number }[]} slots
 * @param {(startTime: string, staffIds: number[]) => void} choose
 */
export function week(from, slots, choose) {
  const byTime = Map.groupBy(slots, ({ startTime }) => startTime);
  const byDate = Map.groupBy(byTime.keys(), (time) => time.slice(0, 10));
  const times = element('div', { role: 'group' });
  const days = Array.from({ length: 7 }, (_, i) => plus(from, i)).map((date) => {
    const free = byDate.get(date) ?? [];
    const button = element(
      'button',
      { type: 'button', disabled: free.length === 0 },
      element('small', { textContent: day(date, { weekday: 'short' }) }),
      ` ${day(date, { day: 'numeric' })}`,
    );
    const show = () => {
      for (const other of days) other.button.ariaPressed = String(other.button === button);
      times.ariaLabel = day(date);
      times.replaceChildren(
        element('h3', { textContent: day(date) }),
        timeButtons(free, (time) =>
          choose(
            time,
            (byTime.get(time) ?? []).map(({ staffId }) => staffId),
          ),
        ),
      );
    };
    button.addEventListener('click', show);
    return { button, show };
  });
  days.find(({ button }) => !button.disabled)?.show();
  const row = element('div', { className: 'days' }, ...days.map(({ button }) => button));
  return element('div', {}, row, times);
}

/**
 * @param {string[]} times
 * @param {(startTime: string) => void} choose
 * @param {(startTime: string) => string} [label]
 */
export function timeButtons(times, choose, label = clock) {
  const buttons = times.map((time) =>
    element('button', { type: 'button', textContent: label(time), onclick: () => choose(time) }),
  );
  return element('div', { className: 'times' }, ...buttons);
}
