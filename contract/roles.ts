/** What people of a business may do in it (docs/rules.md#roles): each may do all that those after it may. */
import * as z from 'zod/mini';
import { shape } from './fields.ts';

export const roles = ['owner', 'desk', 'member'] as const;
export type Role = (typeof roles)[number];

export const role = shape(() =>
  z
    .enum(roles, { error: `must be one of: ${roles.join(', ')}` })
    .check(
      z.describe(
        '`owner` may do everything. `desk` works with bookings, clients, payments and reviews. `member` sees the calendar, and the bookings of one staff member alone.',
      ),
    ),
);

/** Whether a role reaches what `least` may do. */
export function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least);
}
