/** Whether an active staff member performs a service. */
import type { Answer } from '../../api/call.ts';

type Member = Pick<Answer<'listStaff'>['data'][number], 'id' | 'active'>;

/** A member whom `staff` does not list counts as active: a page of staff may not be all of them. */
export function isPerformed(staffIds: readonly number[], staff: readonly Member[] = []): boolean {
  return staffIds.some((id) => staff.find((member) => member.id === id)?.active ?? true);
}
