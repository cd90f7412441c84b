/**
 * Every number of the specification and of its decisions, once, with its unit in its name.
 * Relations between numbers are asserted at the end of this file.
 */
export const limits = {
  /** docs/rules.md#limits: for each caller of a kind, in fixed windows by UTC clock minute and UTC day. */
  requests: {
    key: { perMinute: 60, perDay: 10_000 },
    session: { perMinute: 60, perDay: 1_000 },
    owner: { perMinute: 600, perDay: 100_000 },
  },

  /** The number of days, today included, for which a key's requests are reported. */
  keyUseDays: 30,

  /** docs/rules.md#webhooks: the limit per API key. */
  activeWebhooksPerKey: 10,
  /** Limits per business: active keys, and webhooks of any status. */
  activeKeysPerBusiness: 50,
  /** The maximum time for which the old value of a regenerated key still works. */
  keyOverlapHoursMax: 24,
  /** New keys per UTC day. */
  newKeysPerDay: 100,
  /** The days for which a revoked key stays listed after its last use, and an expired key after its expiry. */
  endedKeyDays: 90,
  webhooksPerBusiness: 100,
  /** Colleagues whom the owners of a business invited, and invitations per UTC day: each is an email. */
  colleaguesPerBusiness: 50,
  invitationsPerDay: 20,

  /** docs/rules.md#retries: the wait before attempts 2 to 6; attempt 1 is immediate. */
  retryDelaysSeconds: [60, 300, 900, 3_600, 14_400],
  deliveryAttempts: 6,
  /** docs/rules.md#attempts: from the start of an attempt to the end of the response headers. */
  deliveryTimeoutMs: 10_000,
  /** A receiver that takes longer than this is slow: its webhook stays in the slow queue for the given seconds. */
  slowReceiverMs: 3_000,
  slowQueueSeconds: 600,
  /** docs/rules.md#sending-budget: first attempts per business, and all attempts to a host that has not responded. */
  attemptsPerMinute: { business: 3_000, unansweredHost: 60 },
  /** docs/rules.md#disabling: consecutive deliveries that used up all attempts. */
  failedDeliveriesToDisable: 5,
  /** From this count a webhook is failing, and its next success is a recovery. */
  failedDeliveriesToWarn: 3,
  deliveryRetentionDays: 30,
  /** Limits of one call of `recover`: redeliveries, records that it reads to find deliveries, and seconds. */
  recoveredPerCall: 5_000,
  recordsPerRecovery: 100_000,
  recoverySeconds: 29,
  /** docs/rules.md#feed: how long a request waits for a message at most, and the interval of its polls. */
  feedWaitSeconds: 10,
  feedLookMs: 25,
  /** Concurrent waiting requests of one business; for one webhook the limit is one. */
  feedWaitersPerBusiness: 5,
  /** Concurrent waiting requests of all businesses. */
  feedWaiters: 80,
  /** The maximum time after a rotation for which the old secret also signs. */
  secretGraceSecondsMax: 604_800,
  /** Services, and staff members, in the filter of a webhook. */
  filterIdsMax: 50,
  /** Records that a page of the deliveries of all webhooks reads at most; its cursor's length with a hundred. */
  recordsPerPage: 1_000,
  /** A page with results ends after this number of records plus one and a half times its size. */
  recordsForShortPage: 80,
  deliveriesCursorLength: 4_096,
  /** The time from the end of one recovery of a webhook to the start of the next. */
  recoveryPauseSeconds: 60,
  /** docs/rules.md#pings: the number of concurrent pings. */
  pingsPerBusiness: 3,
  /** Manual attempts per delivery, and the number of failed ones after which `recover` omits it. */
  manualAttemptsPerDelivery: 10,
  manualFailuresToLeaveOut: 3,
  /** Bytes of a receiver's response that are read, and bytes of these that the record keeps. */
  responseReadBytes: 16_384,
  responseKeptBytes: 1_024,
  responseHeaderBytes: 16_384,

  /** Amazon SQS refuses a longer DelaySeconds; a longer wait takes several messages in sequence. */
  queueDelaySecondsMax: 900,

  bodyBytes: 65_536,
  bodyDepth: 32,
  /** Problems of an invalid request that are listed; the total is also reported. */
  problemsListed: 50,
  /** Characters of a field name that the path of a problem contains: more than any known field has. */
  fieldNameShown: 100,

  /**
   * docs/rules.md#notices: all notices for an address within a window are one email, which is sent when the last of
   * them is certainly stored. The last limit is that of emails per address in 24 hours.
   */
  noticeWindowSeconds: 600,
  noticeSettleSeconds: 60,
  noticeMailsPerDay: 20,
  /** The time in which an address gets no second notice of the same kind about the same webhook or key. */
  noticePauseHours: 24,
  /** Notices that an email shows in full; it counts the others. */
  noticesPerMail: 10,
  /** The time for which the console shows that a webhook works again. */
  noticeRecoveredHours: 24,

  /** The retention of the audit log. */
  auditDays: 365,

  /** Longer than a request takes from reading to commit: a list in the order of changes leaves out newer changes. */
  changesSettleSeconds: 30,

  /** The time between two searches for remaining data of an erased client. */
  erasurePauseSeconds: 300,

  pageSizeDefault: 20,
  pageSizeMax: 100,
  /** Bookings that one request may name by id. */
  idsPerList: 100,

  /** docs/rules.md#statistics: the days that those of a webhook go back, and the maximum error of a percentile. */
  webhookStatisticsDays: 30,
  responseTimeErrorPercent: 5,
  /** Records that are not in the stored statistics yet, and that one response counts itself. */
  recordsCountedPerAnswer: 200,
  /** Limits of one response with statistics of a business (the last one also limits totals of payments). */
  statisticsRangeDays: 92,
  statisticsDaysDefault: 30,
  bookingsPerStatistics: 20_000,
  paymentsPerTotals: 20_000,

  slotRangeDays: 31,
  slotDaysRangeDays: 92,
  /** A slot is about 145 bytes of JSON: 1.5 MB, of the 6 MB that a function may return. */
  slotsPerAnswer: 10_000,
  holdMinutesDefault: 5,
  holdMinutesMax: 15,
  holdsPerKey: 10,
  /** Of one staff member or resource. A calendar day is one item of DynamoDB, whose limit is 400 KB. */
  holdsPerCalendarDay: 300,
  alternativeSlots: 3,
  /** Passes a fully booked week, and needs one page of a query. */
  alternativeSlotsDays: 14,

  /** docs/rules.md#sessions: the lifetime of a session, by its kind, and the maximum of its restrictions. */
  sessionSecondsMin: 300,
  sessionSecondsDefault: 3_600,
  sessionSecondsMax: { booker: 86_400, booking: 7_776_000 },
  sessionBookingsMax: 5,
  sessionIdsMax: 50,
  holdsPerSession: 5,
  /** Upcoming bookings per phone or email, through one key without permission to see personal data. */
  upcomingBookingsPerContact: 5,

  idempotencyKeyLength: 255,
  idempotencyHours: 24,

  targetUrlLength: 2_048,
  /** The limit per webhook. */
  targetUrlChangesPerHour: 10,
  /** The time that a write of a `targetUrl` waits for foreign name servers. */
  targetUrlLookupMs: 1_000,
  webhookDescriptionLength: 255,
  nameLength: 200,
  /** The length of a time in ISO 8601, with nine digits of a second, an offset, and spare characters. */
  instantLength: 40,
  /** The number of words, from the start of a name, whose prefixes find a client. */
  searchedWords: 5,
  textLength: 2_000,
  /** An integrator's own strings on a booking or a client. */
  metadataEntries: 20,
  metadataKeyLength: 40,
  metadataValueLength: 500,
  /** Digits of a phone number (at most 15 by E.164), and characters including separators. */
  phoneDigitsMin: 4,
  phoneDigitsMax: 15,
  phoneLength: 32,

  /** Limits of what a business may enter on the account side. */
  durationMinutesMax: 1_440,
  bufferMinutesMax: 720,
  /** Participants of a service, and of one booking. */
  capacityMax: 500,
  placesMax: 20,
  /** Services per visit. */
  visitServicesMin: 2,
  visitServicesMax: 5,
  resourceKindLength: 50,
  slotStepMinutesMax: 1_440,
  noticeMinutesMax: 525_600,
  maxAdvanceDaysMax: 730,
  amountMax: 99_999_999_999,
  intervalsPerDay: 12,
  /** Staff per service, or services per staff member. Changing them is one transaction, which has at most 100 items. */
  assignmentsMax: 90,
  /** A service that gains or loses a staff member takes two items: the service and its event. */
  assignmentChangesMax: 45,
  scheduleExceptionsMax: 1_000,
  originsPerKey: 50,
} as const;

/** Limits of other calendars with busy times of a staff member. They share one item with the schedule. */
export const busyLimits = { sourcesMax: 10, blocksMax: 500, aheadDays: 400 } as const;

/**
 * docs/rules.md#request-log. A write unit is 1 KB, of which keys and names of an item take some 140 bytes. A container
 * writes once per this number of requests, and once a minute the failed ones.
 */
export const requestLogLimits = {
  days: 7,
  entriesPerWrite: 40,
  entryBytesPerWrite: 880,
  /** The maximum time between first and last request of one write: a page of the list reads this much further back. */
  batchHours: 1,
  /** How many refused requests of one key a container logs in a minute; they do not count against the key's limits. */
  refusalsPerMinute: 10,
  /** The maximum time that a response waits for its urgent write. */
  urgentMs: 50,
  /** Writes that a page of the list reads at most. */
  writesPerPage: 2_000,
} as const;

/** The limits of one kind of caller. */
export interface RequestLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

/**
 * Fails at import, and so at build time, if two related numbers are inconsistent. Bundles omit it, because every synth
 * imports this file first.
 */
function relation(holds: () => boolean, sentence: string): void {
  if (!holds()) throw new Error(`contract/limits.ts: ${sentence}`);
}

relation(
  () => limits.deliveryAttempts === limits.retryDelaysSeconds.length + 1,
  'every attempt but the first has its delay, and no delay is left over',
);
relation(
  () => limits.failedDeliveriesToWarn < limits.failedDeliveriesToDisable,
  'a webhook is seen to fail before it is disabled',
);
relation(
  () => limits.noticeWindowSeconds + limits.noticeSettleSeconds <= limits.queueDelaySecondsMax,
  'one delayed message waits for the end of a window of notices',
);
relation(
  () => limits.retryDelaysSeconds.every((delay, i, all) => i === 0 || delay > (all[i - 1] ?? 0)),
  'retry delays grow',
);
relation(
  () => Object.values(limits.requests).every(({ perMinute, perDay }) => perMinute <= perDay),
  'a minute never allows more than a day',
);
relation(
  () => limits.attemptsPerMinute.unansweredHost < limits.attemptsPerMinute.business,
  'one host does not use up the sending budget of a business',
);
relation(() => limits.slowReceiverMs < limits.deliveryTimeoutMs, 'a receiver is slow before it times out');
relation(() => limits.responseKeptBytes <= limits.responseReadBytes, 'what is kept of a response was read');
relation(() => limits.holdMinutesDefault <= limits.holdMinutesMax, 'the default hold is a legal hold');
relation(
  () => limits.amountMax * Math.max(limits.placesMax, limits.visitServicesMax) <= Number.MAX_SAFE_INTEGER,
  'the price of a booking is exact',
);
relation(() => limits.pageSizeDefault <= limits.pageSizeMax, 'the default page is a legal page');
relation(() => limits.assignmentsMax + 5 <= 100, 'all assignments of a service fit into one transaction');
relation(
  () => 2 * limits.assignmentChangesMax + 5 <= 100,
  'changed services and their events fit into one transaction',
);
