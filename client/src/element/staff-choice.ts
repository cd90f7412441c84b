/** Lets a visitor choose among the staff members who perform a service, or leave the choice to the business. */
import type { Service, StaffMember } from '../generated/types.ts';
import type { Api } from './api.ts';
import { type Child, h, row } from './draw.ts';
import type { Screen } from './screen.ts';
import type { Say } from './texts.ts';

export interface StaffChoice {
  readonly service: Service;
  /** The id of the chosen staff member; without one, any staff member who performs the service. */
  readonly chosen: number | undefined;
  readonly onChoose: (staffId: number | undefined) => Promise<void>;
}

/** The buttons. There are none if fewer than two staff members are active, or if the staff members cannot be listed. */
export async function staffButtons(
  api: Api,
  screen: Screen,
  say: Say,
  { service, chosen, onChoose }: StaffChoice,
): Promise<readonly Child[]> {
  const path = `/staff?serviceId=${service.id}&limit=100`;
  const { data } = await api<{ data: StaffMember[] }>('GET', path).catch(() => ({ data: [] }));
  const members = data.filter(({ active }) => active);
  if (members.length < 2) return [];
  const button = (name: Child, staffId?: number) => {
    const onclick = () => screen.step(() => onChoose(staffId));
    return h('button', { part: 'slot', 'aria-pressed': staffId === chosen, onclick }, name);
  };
  const list = row(button(say('anyone')), ...members.map(({ id, name }) => button(name, id)));
  list.setAttribute('role', 'group');
  list.setAttribute('aria-labelledby', 'who');
  return [h('p', { id: 'who' }, say('who')), list];
}
