/** The roles of people in a business (docs/rules.md#roles). Each role includes the rights of the roles after it. */
import * as z from 'zod/mini';
import { field } from './fields.ts';

export const roles = ['owner', 'desk', 'member'] as const;
export type Role = (typeof roles)[number];

export const role = field(
  '`owner` may do everything. `desk` works with bookings, clients, payments and reviews. `member` sees the calendar, and the bookings of one staff member alone.',
  z.enum(roles, { error: `must be one of: ${roles.join(', ')}` }),
);

/** Whether a role includes the rights of `least`. */
export function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least);
}
