export const webhooks = {
  intro: 'A webhook notifies your own program over HTTPS when something happens, usually within two seconds.',
  create: 'Create webhook',
  emptyTitle: 'No webhooks yet',
  emptyHint: 'Enter an address and choose events. You can send a test message right away.',
  columns: { target: 'Address', events: 'Events', last: 'Last message', status: 'Status' },
  statuses: { active: 'Active', failed: 'Disabled' },
  failing: 'Failing',
  throttled: 'Throttled',
  heldTitle: (until: string) => `Messages are held until ${until}`,
  heldText:
    'We send at most 3,000 messages a minute for a business, and 60 to a host that has never responded with 2xx. The other messages wait. Nothing is lost, and this is not a failure.',
  troubled: (failures: number) => `${failures} of 5 failures`,
  eventCount: (count: number) => (count === 1 ? '1 event' : `${count} events`),
  allEvents: 'All events',
  neverSent: 'None yet',
  startedFailing: (when: string) => `Started failing ${when}.`,
  createTitle: 'Create a webhook',
  changeTitle: 'Edit webhook',
  apiKeyId: 'API key',
  apiKeyIdHint: 'The webhook belongs to this key and stops when the key is revoked or expires.',
  noKeys: 'A webhook belongs to an API key. You have no active key yet.',
  /** A webhook with a feed has no URL. */
  addressOf: (targetUrl: string) => targetUrl || 'Read from its feed',
  readThrough: (read: number, last: number) => `The reader has handled ${read} of ${last} messages.`,
  delivery: 'How messages reach you',
  deliveries: { push: 'Sent to my address', poll: 'My program reads them' },
  deliveryGuide: 'Which one is for you?',
  deliveryHints: {
    push: 'Your server needs a public https address.',
    poll: 'For programs behind a firewall or on a laptop. Nothing is sent: they read the feed of this webhook.',
  },
  filterServices: 'Only these services',
  filterStaff: 'Only these staff members',
  filterEmpty: 'Empty: all of them.',
  targetUrl: 'Address',
  targetUrlHint: 'A public https address.',
  description: 'Description',
  descriptionHint: 'Only you see it.',
  events: 'Events',
  needsTarget: 'Enter an address',
  needsKey: 'Choose an API key',
  cannotReceive: (key: string, permission: string, event: string) =>
    `“${key}” needs the permission “${permission}” to receive ${event}. Choose another key, add the permission, or choose other events`,
  needsEvent: 'Select at least one event',
  shownTitle: 'Save your signing secret',
  shownLabel: 'Signing secret',
  shownWarning: 'You cannot see this secret again. Your program needs it to verify that messages come from us.',
  shownUse: 'How to verify a message',
  changed: 'Webhook saved',
  deleted: 'Webhook deleted',
  ping: 'Send test',
  change: 'Edit',
  rotate: 'Rotate secret',
  recover: 'Recover',
  delete: 'Delete',
  reactivate: 'Reactivate',
  reactivated: 'The webhook is active again',
  offTitle: 'Disabled after 5 failed messages',
  offText:
    'Each message was tried six times. Nothing more is sent until you reactivate the webhook. Find the cause below, fix it, send a test, and reactivate. Then recover the missed messages.',
  failingTitle: (failures: number) =>
    failures === 0
      ? 'Attempts have failed'
      : failures === 1
        ? 'The last message failed'
        : `The last ${failures} messages failed`,
  failingSince: (when: string, ago: string) => `Every attempt since ${when} (${ago}) has failed.`,
  lastAnswer: 'Last response:',
  failingText:
    'Each message is tried up to six times. After 5 failed messages in a row the webhook is disabled. A delivered message resets the count.',
  periods: { '1': '24 hours', '7': '7 days', '30': '30 days' },
  skipped: 'Not sent',
  healthSummary: (share: string, attempts: string) =>
    attempts === '1' ? `${share} of 1 attempt succeeded.` : `${share} of ${attempts} attempts succeeded.`,
  healthNone: 'No messages in this period.',
  median: 'Median response time',
  p95: '95th percentile',
  reasons: 'Reasons for failures',
  recent: 'Recent deliveries',
  allDeliveries: 'See all deliveries',
  pingTitle: 'Send a test message',
  pingText: 'The message is sent once with example data. It does not count as a success or a failure.',
  pingPlain: 'ping (no event)',
  pingGood: (status: number, time: string) => `Your server answered ${status} after ${time}.`,
  pingBad: 'The test failed',
  pingLook: 'View the message',
  rotateTitle: 'Rotate the signing secret?',
  rotateText: 'Messages are signed with a new secret from now on.',
  rotateConsequences: [
    'The old secret is no longer used. Your program rejects messages until you give it the new secret.',
    'Rejected messages are sent again for up to five hours, so nothing is lost if you act quickly.',
  ],
  rotateGraceConsequences: [
    'Until then messages carry a signature of each secret in the header webhook-signature.',
    'The header X-Webhook-Signature is made with the new secret at once.',
  ],
  grace: 'The old secret',
  graces: {
    '0': 'Stops working now',
    '3600': 'Works for 1 more hour',
    '86400': 'Works for 1 more day',
    '604800': 'Works for 7 more days',
  },
  rotateVerb: 'Rotate secret',
  maybeCreated:
    'The webhook may exist already. Check the list first: if it is there, rotate its secret to see a new one.',
  maybeRotated:
    'The secret may have changed already. Rotate it again to see a new one. Then the secret that your program uses may stop working at once.',
  recoverTitle: 'Recover failed messages',
  recoverText:
    'Every failed message of the period is sent once more. Messages keep their IDs, so your program can recognise duplicates.',
  recoverSince: 'Period',
  recoverFrom: (when: string) => `Messages since ${when}. Older ones are not sent.`,
  recoverPeriods: {
    failing: 'Since the first failure',
    '1': 'Last hour',
    '24': 'Last day',
    '168': 'Last week',
    '720': 'Last 30 days',
  },
  recoverNone: 'No message of this period is sent again.',
  recoverRetrying: (messages: string) =>
    messages === '1'
      ? '1 message is still being retried and is sent automatically.'
      : `${messages} messages are still being retried and are sent automatically.`,
  recoverLeftOut: (messages: string) =>
    messages === '1'
      ? '1 message is not sent again, because it was sent again ten times, or failed three times when it was sent again.'
      : `${messages} messages are not sent again, because they were sent again ten times, or failed three times when they were sent again.`,
  recoverBegan: (matched: string) =>
    matched === '1' ? '1 message is being sent again.' : `${matched} messages are being sent again.`,
  recoverNewest: (messages: string) => `The progress of the newest ${messages}:`,
  recoverProgress: (done: string, matched: string) => `${done} of ${matched} sent`,
  recoverDone: (good: string, bad: string) => `${good} delivered, ${bad} failed again.`,
  recoverWait: (seconds: number) =>
    `You can start the next recovery in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
  deleteTitle: 'Delete this webhook?',
  deleteText: (target: string) => `Nothing more is sent to ${target}.`,
  deleteConsequences: ['Waiting messages are dropped.', 'Its delivery log is deleted. You cannot undo this.'],
  deleteVerb: 'Delete webhook',
};
