/** Whether an active staff member performs a service. */
import type { Answer } from '../../api/call.ts';

type Member = Pick<Answer<'listStaff'>['data'][number], 'id' | 'active'>;

/** A staff member who is not in `staff` counts as active, because `staff` may not be loaded yet. */
export function isPerformed(staffIds: readonly number[], staff: readonly Member[] = []): boolean {
  return staffIds.some((id) => staff.find((member) => member.id === id)?.active ?? true);
}
