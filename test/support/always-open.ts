/** Weekly hours without an end, for tests in which the hour does not matter. */
const allDay = [{ from: '00:00', to: '24:00' }];

export const alwaysOpen = {
  monday: allDay,
  tuesday: allDay,
  wednesday: allDay,
  thursday: allDay,
  friday: allDay,
  saturday: allDay,
  sunday: allDay,
};
