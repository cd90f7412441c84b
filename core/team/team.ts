/**
 * The colleagues of a business (docs/rules.md#roles). One item lists all of them. Each colleague also has an item in
 * the table `keys`, which contains the role, and counts the colleague's requests. Each colleague has another such item
 * for the sandbox, so that the role is the same in live and test mode. Owners whom the operator created have no such
 * items.
 */
import type * as z from 'zod/mini';
import type { Colleague } from '../../contract/account/resources.ts';
import type { updateColleague as row } from '../../contract/account/routes.ts';
import type { Role } from '../../contract/roles.ts';
import { fail } from '../errors.ts';
import { inSandbox, isSandbox, liveOf } from '../mode.ts';
import { cutPage, type Page, type PageQuery } from '../page.ts';
import type { OwnerActor, Principal } from '../principal.ts';
import type { Key } from '../store/key.ts';
import { getItem } from '../store/read.ts';
import { insertRecord, type Revised, replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import { REMOVE, setOrCreate, type Write } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';

interface StoredColleague {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly staffId?: number | undefined;
  /** The `sub` of the colleague's tokens. */
  readonly subject: string;
  readonly invitedAt: string;
}

export interface Team extends Revised {
  readonly colleagues: readonly StoredColleague[];
  /** How many invitations were sent on the last day with any, and this day, in days since the epoch. */
  readonly invitations?: { readonly day: number; readonly count: number };
}

const inLive = (id: number) => (isSandbox(id) ? liveOf(id) : id);

/** The id of the business, in both modes. */
export const businessOf = ({ tenantId }: Principal): number => inLive(tenantId);

export async function loadTeam(businessId: number): Promise<Team> {
  return (await getItem<Team & Key>('records', records.team(businessId))) ?? { colleagues: [] };
}

export function teamWrite(businessId: number, before: Team, team: Team): Write {
  const { colleagues, invitations } = team;
  const key = records.team(businessId);
  // The first write of the team has no revision as a condition.
  return before.revision === undefined
    ? insertRecord(key, { colleagues, invitations, revision: 1 })
    : replaceRecord(key, before, { colleagues, invitations });
}

/** The items by which requests of a colleague are accepted, in both modes. Counters of requests in them stay. */
export function accessItems(businessId: number, { subject, role, staffId }: StoredColleague): Write[] {
  const inMode = (tenantId: number, member: number | undefined) =>
    setOrCreate('keys', keys.owner(tenantId, subject), { role, staffId: member ?? REMOVE });
  return [
    inMode(businessId, staffId),
    inMode(inSandbox(businessId), staffId === undefined ? undefined : inSandbox(staffId)),
  ];
}

/** A colleague as the mode of the request shows them: the stored id of the staff member is the live one. */
export function toColleague(
  { tenantId }: Principal,
  { id, email, role, staffId, invitedAt }: StoredColleague,
): Colleague {
  const shownId = staffId !== undefined && isSandbox(tenantId) ? inSandbox(staffId) : staffId;
  return { id, email, role, staffId: shownId ?? null, invitedAt };
}

/** The live id of a staff member of the request's mode. 404 `not_found` for a staff member whom the business lacks. */
export async function liveStaffId(principal: Principal, staffId: number | undefined): Promise<number | undefined> {
  if (staffId === undefined) return undefined;
  const liveId = inLive(staffId);
  const isOfMode = isSandbox(staffId) === isSandbox(principal.tenantId);
  if (isOfMode && (await getItem('records', records.staff(businessOf(principal), liveId)))) return liveId;
  throw fail('not_found', 'There is no such staff member.');
}

/** `GET /v1/account/team`. */
export async function listTeam(principal: Principal, query: PageQuery): Promise<Page<Colleague>> {
  const { colleagues } = await loadTeam(businessOf(principal));
  const shown = colleagues.map((one) => toColleague(principal, one));
  return cutPage(shown, query);
}

/** `PATCH /v1/account/team/:id`. 404 `not_found`, 409 `invalid_state`. */
export function updateColleague(
  principal: Principal<OwnerActor>,
  { id }: { readonly id: number },
  { role, staffId }: z.output<(typeof row)['body']>,
): Promise<Colleague> {
  const businessId = businessOf(principal);
  return commitWithRetry(async () => {
    const liveId = await liveStaffId(principal, staffId);
    const { team, colleague } = await loadColleague(principal, id);
    const changed = { ...colleague, role, staffId: liveId };
    const colleagues = team.colleagues.map((one) => (one.id === id ? changed : one));
    return {
      writes: [teamWrite(businessId, team, { ...team, colleagues }), ...accessItems(businessId, changed)],
      result: toColleague(principal, changed),
      auditedIn: businessId,
    };
  });
}

/** 404 `not_found`; 409 `invalid_state` for the caller, so that a business never loses its last owner by mistake. */
export async function loadColleague(principal: Principal<OwnerActor>, id: number) {
  const team = await loadTeam(businessOf(principal));
  const colleague = team.colleagues.find((one) => one.id === id);
  if (!colleague) throw fail('not_found');
  if (colleague.subject === principal.actor.subject) {
    throw fail('invalid_state', 'You cannot change your own role or remove yourself: ask another owner.');
  }
  return { team, colleague };
}
