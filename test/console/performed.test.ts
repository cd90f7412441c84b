/** Services that no staff member performs. */
import { expect, test } from 'vitest';
import { isPerformed } from '../../console/src/screens/services/performed.ts';

test('The console shows a service as bookable if one of its staff members is active or not loaded yet', () => {
  const staff = [
    { id: 1, active: true },
    { id: 2, active: false },
  ];
  expect([[], [2], [1, 2], [3]].map((staffIds) => isPerformed(staffIds, staff))).toEqual([false, false, true, true]);
});
