/** Lets a visitor choose several services, in the order of the clicks, and reports each change in a status line. */
import type { Service } from '../generated/types.ts';
import { bar, type Child, h, row } from './draw.ts';
import type { Screen } from './screen.ts';
import { visitMax, visitMin } from './visit.ts';
import type { Wording } from './wording.ts';

export function severalServices(
  screen: Screen,
  wording: Wording,
  services: readonly Service[],
  back: Child,
  onNext: (serviceIds: readonly number[]) => Promise<void>,
): readonly Child[] {
  let chosen: readonly Service[] = [];
  const message = h('p', { role: 'status' });
  const next = screen.button('next', () => onNext(chosen.map(({ id }) => id)), true);
  const buttons = new Map<Service, HTMLButtonElement>();
  const list = wording.list(services, (service) => {
    const onclick = () => {
      const others = chosen.filter((one) => one !== service);
      chosen = others.length < chosen.length ? others : [...chosen, service];
      draw();
    };
    const button = h('button', { type: 'button', part: 'slot', onclick }, ...wording.about(service));
    buttons.set(service, button);
    return button;
  });
  const draw = () => {
    // Isolated, as in `Wording`.
    const names = chosen.map(({ name }, i) => `${i + 1}. \u2068${name}\u2069`).join(', ');
    message.textContent = names && `${names} · ${wording.cost(chosen)}`;
    for (const [service, button] of buttons) {
      const isChosen = chosen.includes(service);
      button.setAttribute('aria-pressed', String(isChosen));
      button.disabled = !isChosen && chosen.length === visitMax;
    }
    next.disabled = chosen.length < visitMin;
  };
  draw();
  return [...list, bar(message, row(back, next))];
}
