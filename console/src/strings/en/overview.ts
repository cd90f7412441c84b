export const overview = {
  intro: (zone: string) => `Your business today. Times are in ${zone}.`,
  steps: {
    title: 'Get started',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    done: (step: string) => `${step} (done)`,
    hours: 'Set your opening hours',
    staff: 'Add a staff member',
    service: 'Add a service and choose who offers it',
    booking: 'Make a first booking yourself',
    key: 'Create an API key for your website',
  },
  attention: 'To do',
  allWell: 'You are all caught up.',
  webhookOff: (target: string) => `The webhook to ${target} was disabled after 5 failed messages in a row.`,
  webhookOffAct: 'See why',
  webhookFailing: (target: string, when: string, failures: number) =>
    `Messages to ${target} started failing ${when}. We'll disable this webhook after 5 failed messages in a row. ${failures} so far.`,
  webhookStillFailing: (target: string, when: string) =>
    `No message to ${target} has been delivered since it started failing ${when}.`,
  webhookWorks: (target: string) => `Messages to ${target} arrive again. You can send again what was missed.`,
  webhookWorksAct: 'Open webhook',
  emailOff: (address: string) => `Emails about problems no longer reach ${address}.`,
  emailOffAct: 'Check address',
  keyExpires: (name: string, when: string) => `The API key “${name}” expires ${when}.`,
  keyExpiresAct: 'Change expiry',
  keyBusy: (name: string) => `The API key “${name}” has used most of today's requests.`,
  keyBusyAct: 'View usage',
  pending: (count: string) =>
    count === '1'
      ? '1 booking is waiting for your confirmation.'
      : `${count} bookings are waiting for your confirmation.`,
  pendingAct: 'Review',
  reviews: (count: string) => (count === '1' ? '1 review has no reply yet.' : `${count} reviews have no reply yet.`),
  noKeys: 'Take online bookings: create an API key.',
  noWebhooks: 'Get notified of bookings: add a webhook.',
  today: 'Today’s bookings',
  todayNone: 'No bookings today.',
  more: 'See the calendar for more.',
  week: 'This week',
  bookingsHint: (cancelled: string) => (cancelled === '0' ? 'None cancelled' : `plus ${cancelled} cancelled`),
  occupancy: 'Occupancy',
  occupancyHint: (booked: string, working: string) => `${booked} of ${working} hours booked`,
  refunded: (amount: string) => `${amount} refunded`,
  noRefunds: 'No refunds',
  perDay: 'Bookings per day',
  perDaySummary: (count: string, busiest: string) =>
    count === '1' ? `1 booking this week, on ${busiest}.` : `${count} bookings this week. Busiest day: ${busiest}.`,
  perDayNone: 'No bookings this week.',
  requests: 'API requests today',
  requestsHint: 'Each key can make 10,000 requests per day. The count resets at midnight UTC.',
  requestsNone: 'No active API keys.',
  ofLimit: (used: string) => `${used} of 10,000`,
  arrived: (share: string, attempts: string) =>
    attempts === '1'
      ? `${share} of 1 attempt succeeded in the last 24 hours.`
      : `${share} of ${attempts} attempts succeeded in the last 24 hours.`,
  nothingSent: 'No messages in the last 24 hours.',
  deliveriesNone: 'No webhooks yet.',
  seeAll: 'See all',
};
