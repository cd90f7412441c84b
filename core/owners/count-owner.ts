/**
 * Both limits of an owner in one conditional update of an item of their own (docs/rules.md#limits). The token has let
 * the owner in already, so the item begins with the first request and holds nothing but counters.
 */
import { limits } from '../../contract/limits.ts';
import { type CallerKind, type Container, type Count, type Counters, counter } from '../limits/counter.ts';
import type { OwnerActor, Principal } from '../principal.ts';
import { keys } from '../table-keys.ts';

export type OwnerCount = Count<unknown, never>;

const owners = (): CallerKind<Counters, unknown, never> => ({
  limits: limits.requests.owner,
  factsOf: () => ({}),
});

/** The counting of one container. */
export function ownerCounter(container?: Container): (principal: Principal<OwnerActor>) => Promise<OwnerCount> {
  const count = counter(owners(), container);
  return ({ tenantId, actor: { subject } }) => count(keys.owner(tenantId, subject).pk);
}

let counting: ReturnType<typeof ownerCounter> | undefined;

/** The counting of this container. */
export function countOwner(principal: Principal<OwnerActor>): Promise<OwnerCount> {
  counting ??= ownerCounter();
  return counting(principal);
}
