/**
 * Counts the requests of a signed-in person against both limits with one conditional update of an item
 * (docs/rules.md#limits). The token has already authenticated the person, so the first request of an owner creates the
 * item. The item of a colleague is created with the invitation and contains the role, which the same call returns.
 */
import { limits } from '../../contract/limits.ts';
import type { Role } from '../../contract/roles.ts';
import { type CallerKind, type Container, type Counters, counter } from '../limits/counter.ts';
import { keys } from '../table-keys.ts';

interface Membership {
  readonly role?: Role | undefined;
  readonly staffId?: number | undefined;
}

export function ownerCounter(container?: Container) {
  const owners: CallerKind<Counters & Membership, Membership, never> = {
    limits: limits.requests.owner,
    factsOf: ({ role, staffId }) => ({ role, staffId }),
  };
  const count = counter(owners, container);
  return ({ tenantId, subject }: { readonly tenantId: number; readonly subject: string }) =>
    count(keys.owner(tenantId, subject).pk);
}

export const countOwner = /* @__PURE__ */ ownerCounter();
