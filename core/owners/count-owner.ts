/**
 * Both limits of a signed-in person in one conditional update of an item of their own (docs/rules.md#limits). The token
 * has let them in already, so the item of an owner begins with the first request. That of a colleague begins with the
 * invitation, and holds the role, which the same call answers.
 */
import { limits } from '../../contract/limits.ts';
import type { Role } from '../../contract/roles.ts';
import { type CallerKind, type Container, type Count, type Counters, counter } from '../limits/counter.ts';
import { keys } from '../table-keys.ts';

interface Membership {
  readonly role?: Role | undefined;
  readonly staffId?: number | undefined;
}

type MemberItem = Counters & Membership;

type OwnerCount = Count<Membership, never>;

const owners = (): CallerKind<MemberItem, Membership, never> => ({
  limits: limits.requests.owner,
  factsOf: ({ role, staffId }) => ({ role, staffId }),
});

interface Who {
  readonly tenantId: number;
  readonly subject: string;
}

/** The counting of one container. */
export function ownerCounter(container?: Container): (who: Who) => Promise<OwnerCount> {
  const count = counter(owners(), container);
  return ({ tenantId, subject }) => count(keys.owner(tenantId, subject).pk);
}

let counting: ReturnType<typeof ownerCounter> | undefined;

/** The counting of this container. */
export function countOwner(who: Who): Promise<OwnerCount> {
  counting ??= ownerCounter();
  return counting(who);
}
