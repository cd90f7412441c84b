export const apiKeys = {
  intro: 'An API key lets a website or another program use your booking data. You choose what each key can do.',
  create: 'Create key',
  emptyTitle: 'No API keys yet',
  emptyHint: 'Create one key for each website or program, so you can revoke them separately.',
  columns: { permissions: 'Permissions', lastUsed: 'Last used', today: 'Requests today', status: 'Status' },
  statuses: { active: 'Active', revoked: 'Revoked', expired: 'Expired' },
  neverUsed: 'Never used',
  scopeCount: (count: number) => (count === 1 ? '1 permission' : `${count} permissions`),
  createTitle: 'Create an API key',
  changeTitle: 'Edit API key',
  name: 'Name',
  nameHint: 'Only you see it. For example “Website” or “CRM”.',
  purpose: 'What is this key for?',
  sets: {
    booking_widget: {
      name: 'Booking widget',
      description: 'Shows services, staff and free times, and takes bookings. Cannot see your clients.',
    },
    display_only: {
      name: 'Display only',
      description: 'Shows your business, services, staff and reviews. Cannot change anything.',
    },
    full_crm: { name: 'Full CRM', description: 'Reads and makes bookings, sees clients and manages webhooks.' },
    own: { name: 'Custom', description: 'Choose each permission yourself.' },
  },
  scopes: {
    'business:read': 'View your business: name, address and opening hours',
    'services:read': 'View services and prices',
    'staff:read': 'View staff',
    'slots:read': 'View free times',
    'bookings:read': 'View bookings and clients',
    'bookings:write': 'Make, move and cancel bookings',
    'reviews:read': 'View reviews',
    'webhooks:manage': 'Manage its own webhooks',
  },
  allowedOrigins: 'Allowed websites',
  allowedOriginsHint:
    'For keys used in a browser: the host names of your websites, such as www.example.com. Use *.example.com for all subdomains. Leave it empty for a key on a server.',
  originsPlaceholder: 'www.example.com',
  agents: 'Agents may use this key',
  agentsHint:
    'An assistant that has the key can look up, book, move and cancel, as its permissions allow. Test keys always can.',
  noOriginsHint:
    'Without allowed websites, the key works on servers only. Add your website if you use the key in a browser.',
  noOrigins: 'None: for servers only',
  expiry: 'Expires',
  expiries: {
    never: 'Never',
    '30': 'In 30 days',
    '90': 'In 90 days',
    '365': 'In one year',
    keep: 'Keep as it is',
    date: 'On a date…',
  },
  expiryDay: 'Expiry date',
  expiryDayHint: (zone: string) => `The key works until the end of this day (${zone}).`,
  contactEmail: 'Send emails about problems to',
  contactEmailHint:
    'The address of the person who looks after this program. We write when one of its webhooks stops working, and before the key expires.',
  contactEmailNone: 'No address',
  needsName: 'Enter a name',
  needsScope: 'Select at least one permission',
  needsDay: 'Choose a future date',
  shownTitle: 'Save your API key',
  shownLabel: 'API key',
  shownWarning:
    'You cannot see this key again. Anyone with this key has its permissions. Keep it on a server, or restrict it to your websites.',
  shownUse: 'How to use it',
  shownForms: { curl: 'First request', env: '.env file' },
  test: 'Send a test request',
  testWorked: (status: number, time: string) => `The key works: the API answered ${status} in ${time}.`,
  testRefused: (status: number, time: string) => `The API refused the request: ${status} in ${time}.`,
  testNoAnswer: 'No answer came. Check your connection and try again.',
  testOtherSites: (websites: string) =>
    `This key works only on ${websites}, so it cannot be tested on this page. Run the command above instead.`,
  changed: 'API key saved',
  prefix: 'Starts with',
  created: 'Created',
  use: 'Requests, last 30 days',
  requestsSummary: (total: string, busiest: string) =>
    `${total === '1' ? '1 request' : `${total} requests`}, at most ${busiest} on one day. Days start at midnight UTC.`,
  requestsNone: 'No requests yet.',
  regenerate: 'Regenerate',
  revoke: 'Revoke',
  webhooksOf: (count: number) => (count === 1 ? '1 webhook' : `${count} webhooks`),
  regenerateTitle: 'Regenerate this key?',
  regenerateText: (name: string) => `“${name}” gets a new value.`,
  regenerateConsequences: [
    'Permissions, allowed websites, expiry and webhooks stay the same.',
    'If the key has leaked, revoke it instead: after a regeneration, its webhooks, sessions and links keep working.',
  ],
  overlap: 'The old value',
  overlaps: {
    '0': 'stops working immediately',
    '1': 'works for 1 more hour',
    '8': 'works for 8 more hours',
    '24': 'works for 24 more hours',
  },
  overlapNow: 'Requests fail until you replace the value everywhere.',
  overlapLater: 'Replace the value everywhere in that time. Both values share the limits.',
  oldValue: 'Old value',
  oldValueUse: (until: string, requests: string) =>
    `Works until ${until}. ${requests === '0' ? 'Not used since the new value was made.' : requests === '1' ? '1 request since then.' : `${requests} requests since then.`}`,
  regenerateVerb: 'Regenerate key',
  maybeCreated: 'The key may exist already. Check the list first, and revoke a key whose value you have not seen.',
  maybeRegenerated:
    'The key may have a new value already: then its first characters have changed. If so, regenerating it again ends the value that your programs use, even if it would work for some more hours.',
  revokeTitle: 'Revoke this key?',
  revokeText: (name: string) => `“${name}” stops working permanently. You cannot undo this.`,
  revokeRequests: (today: string) =>
    `It was used for ${today === '1' ? '1 request' : `${today} requests`} today. The next request will be refused.`,
  revokeUnused: 'It has never been used.',
  revokeWebhooks: (count: number) =>
    count === 0
      ? 'No webhook uses it.'
      : count === 1
        ? '1 webhook uses it and will receive no more events.'
        : `${count} webhooks use it and will receive no more events.`,
  revokeVerb: 'Revoke key',
  revoked: 'API key revoked',
};
