/** The business itself, and what belongs to it in several screens. */
export const business = {
  missing: {
    live: {
      title: 'Your business has no name yet',
      hint: 'Say what it is called, where its clocks are and what it is paid in. Everything else can wait.',
      next: 'Set up the business',
    },
    test: {
      title: 'There is no sandbox yet',
      hint: 'The first test key makes it, with a copy of your services, staff and hours. No client is copied.',
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
  copyWeekdays: 'To Monday to Friday',
  copyAll: 'To every day',
  thatDay: 'That day',
};
