/** `POST /v1/account/team` (docs/rules.md#roles). */
import type * as z from 'zod/mini';
import type { Colleague } from '../../contract/account/resources.ts';
import type { inviteColleague as row } from '../../contract/account/routes.ts';
import { limits } from '../../contract/limits.ts';
import { dayMs, newId, now, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { commitWithRetry } from '../store/transact.ts';
import { createPerson, ownUserPool } from './people.ts';
import { accessItems, businessOf, liveStaffId, loadTeam, type Team, teamWrite, toColleague } from './team.ts';

/**
 * Counts the invitation, sends it, and then stores the colleague. Before that, the colleague has no role, so all
 * requests are refused. Errors: 404 for an unknown staff member, 409 `colleague_exists`, 409 `invalid_state` for too
 * many colleagues or invitations.
 */
export async function inviteColleague(
  principal: Principal,
  { email: given, role, staffId }: z.output<(typeof row)['body']>,
): Promise<Colleague> {
  const businessId = businessOf(principal);
  const email = given.toLowerCase();
  // Refuses before the invitation is counted.
  ownUserPool();
  const liveId = await commitWithRetry(async () => {
    const team = await loadTeam(businessId);
    if (team.colleagues.some((one) => one.email === email)) throw fail('colleague_exists');
    return {
      writes: [teamWrite(businessId, team, { ...team, invitations: oneMore(team) })],
      result: await liveStaffId(principal, staffId),
      // The entry in the audit log is about the colleague, who may not be created.
      unaudited: true,
    };
  });
  const subject = await createPerson(businessId, email);
  if (subject === undefined) throw fail('colleague_exists');
  const colleague = { id: newId(), email, role, staffId: liveId, subject, invitedAt: timestamp(now()) };
  return commitWithRetry(async () => {
    const team = await loadTeam(businessId);
    if (team.colleagues.some((one) => one.subject === subject)) throw fail('colleague_exists');
    // Concurrent invitations may have used the last free place.
    assertRoom(team);
    const colleagues = [...team.colleagues, colleague];
    return {
      writes: [teamWrite(businessId, team, { ...team, colleagues }), ...accessItems(businessId, colleague)],
      result: toColleague(principal, colleague),
      auditedIn: businessId,
    };
  });
}

function assertRoom({ colleagues }: Team): void {
  if (colleagues.length < limits.colleaguesPerBusiness) return;
  throw fail('invalid_state', `A team has at most ${limits.colleaguesPerBusiness} colleagues.`);
}

function oneMore(team: Team): NonNullable<Team['invitations']> {
  assertRoom(team);
  const { invitations } = team;
  // By another container's clock, the next day may have begun: its count continues.
  const day = Math.max(Math.floor(now() / dayMs), invitations?.day ?? 0);
  const count = invitations?.day === day ? invitations.count : 0;
  if (count >= limits.invitationsPerDay) {
    throw fail('invalid_state', `${limits.invitationsPerDay} invitations were sent today. Try tomorrow.`);
  }
  return { day, count: count + 1 };
}
