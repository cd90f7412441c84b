/** The business itself, and texts about it that several screens share. */
export const business = {
  missing: {
    live: {
      title: 'Set up your business',
      hint: 'Enter its name, time zone and currency. It takes a minute, and you can change the details later.',
      next: 'Set up your business',
    },
    test: {
      title: 'You have no sandbox yet',
      hint: 'Create a test key to get one. It starts with a copy of your services, staff and hours, but no clients.',
      next: 'Create a test key',
    },
  },
  active: 'Active',
  inactive: 'Paused',
  statuses: {
    pending: 'Pending',
    confirmed: 'Confirmed',
    completed: 'Completed',
    no_show: 'No-show',
    cancelled: 'Cancelled',
  },
};

export const hours = {
  days: {
    monday: 'Monday',
    tuesday: 'Tuesday',
    wednesday: 'Wednesday',
    thursday: 'Thursday',
    friday: 'Friday',
    saturday: 'Saturday',
    sunday: 'Sunday',
  },
  from: (day: string, part: string) => `${day}, from${part}`,
  to: (day: string, part: string) => `${day}, to${part}`,
  part: (number: number) => ` (part ${number})`,
  closed: 'Closed',
  off: 'Day off',
  addPart: (day: string) => `Add hours on ${day}`,
  add: 'Add hours',
  removePart: (day: string, part: string) => `Remove hours on ${day}${part}`,
  copy: (day: string) => `Copy ${day}`,
  copyWeekdays: 'To Monday–Friday',
  copyAll: 'To every day',
  thatDay: 'That day',
};
