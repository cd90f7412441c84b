/** What the signed-in person may do. The API decides; here is only what is shown. */
import type { Answer } from '../api/call.ts';
import { useApi } from '../api/hooks.ts';

export type Role = Answer<'getMe'>['role'];

/** Each role may do all that those after it may. */
export const roles: readonly Role[] = ['owner', 'desk', 'member'];

const kept = 'role';

/** Until the answer, that of the last visit: most people are owners, and a menu must not jump. */
const lastRole = (): Role => roles.find((one) => one === localStorage.getItem(kept)) ?? 'owner';

/** Whether the person has this role, or one that may do more. */
export function useMay(): (least: Role) => boolean {
  const { data } = useApi('getMe', undefined);
  if (data) localStorage.setItem(kept, data.role);
  const role = data?.role ?? lastRole();
  return (least) => roles.indexOf(role) <= roles.indexOf(least);
}

/** Whose bookings are all that a `member` sees. */
export function useOwnStaffId(): number | undefined {
  return useApi('getMe', undefined).data?.staffId ?? undefined;
}
