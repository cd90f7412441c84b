/** The role of the signed-in person. The API enforces it; this file only decides what is shown. */
import { useEffect } from 'react';
import type { Answer, Api } from '../api/call.ts';
import { useApi, useApiCalls } from '../api/hooks.ts';

export type Role = Answer<'getMe'>['role'];

/** The roles in descending order of permissions; each includes those after it. */
export const roles: readonly Role[] = ['owner', 'desk', 'member'];

/** Each person has their own entry, because colleagues may share a computer. */
const cacheKey = (subject: string | undefined) => `role of ${subject}`;

/** The role at this person’s last visit. */
export const storedRole = ({ subject }: Api): Role | undefined =>
  roles.find((one) => one === localStorage.getItem(cacheKey(subject())));

/** Whether a role includes the permissions of `least`. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least);

/** Returns a function that checks whether the person has at least this role. */
export function useMay(): (least: Role) => boolean {
  const { data } = useApi('getMe', undefined);
  const api = useApiCalls();
  useEffect(() => {
    if (data) localStorage.setItem(cacheKey(data.subject), data.role);
  }, [data]);
  // Before the response an owner is assumed: most people are owners, and the menu must not change.
  const role = data?.role ?? storedRole(api) ?? 'owner';
  return (least) => isAtLeast(role, least);
}

/** The id of the signed-in staff member; a `member` sees only their own bookings. */
export function useOwnStaffId(): number | undefined {
  return useApi('getMe', undefined).data?.staffId ?? undefined;
}
