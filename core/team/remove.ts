import { inSandbox } from '../mode.ts';
import type { OwnerActor, Principal } from '../principal.ts';
import { commitWithRetry } from '../store/transact.ts';
import { remove } from '../store/write.ts';
import { keys } from '../table-keys.ts';
import { deletePerson } from './people.ts';
import { businessOf, loadColleague, teamWrite } from './team.ts';

/** `DELETE /v1/account/team/:id`. 404 `not_found`, 409 `invalid_state`. */
export async function removeColleague(
  principal: Principal<OwnerActor>,
  { id }: { readonly id: number },
): Promise<void> {
  const businessId = businessOf(principal);
  const subject = await commitWithRetry(async () => {
    const { team, colleague } = await loadColleague(principal, id);
    const colleagues = team.colleagues.filter((one) => one.id !== id);
    const removals = [businessId, inSandbox(businessId)].map((tenantId) =>
      remove('keys', keys.owner(tenantId, colleague.subject)),
    );
    return {
      writes: [teamWrite(businessId, team, { ...team, colleagues }), ...removals],
      result: colleague.subject,
      auditedIn: businessId,
    };
  });
  // From the commit on, all tokens of the colleague are refused. Without the user, there are no new tokens either.
  await deletePerson(subject);
}
