/** What the signed-in person may do. The API decides; here is only what is shown. */
import { useEffect } from 'react';
import type { Answer } from '../api/call.ts';
import { useApi } from '../api/hooks.ts';

export type Role = Answer<'getMe'>['role'];

/** Each role may do all that those after it may. */
export const roles: readonly Role[] = ['owner', 'desk', 'member'];

const kept = 'role';

/** That of the last visit. */
export const keptRole = (): Role | undefined => roles.find((one) => one === localStorage.getItem(kept));

/** Whether a role may do what `least` may. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least);

/** Whether the person has this role, or one that may do more. */
export function useMay(): (least: Role) => boolean {
  const { data } = useApi('getMe', undefined);
  useEffect(() => {
    if (data) localStorage.setItem(kept, data.role);
  }, [data]);
  // Until the answer: most people are owners, and a menu must not jump.
  const role = data?.role ?? keptRole() ?? 'owner';
  return (least) => isAtLeast(role, least);
}

/** Whose bookings are all that a `member` sees. */
export function useOwnStaffId(): number | undefined {
  return useApi('getMe', undefined).data?.staffId ?? undefined;
}
