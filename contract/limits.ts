/**
 * Every number of the specification and of its decisions, once, with its unit in its name.
 * Relations between numbers are asserted at the end of this file.
 */
export const limits = {
  /** docs/rules.md#limits: of each caller of a kind, in fixed windows by UTC clock minute and UTC day. */
  requests: {
    key: { perMinute: 60, perDay: 10_000 },
    session: { perMinute: 60, perDay: 1_000 },
    owner: { perMinute: 600, perDay: 100_000 },
  },

  /** Of so many days, today included, a key's requests are reported. */
  keyUseDays: 30,

  /** docs/rules.md#webhooks: each API key. */
  activeWebhooksPerKey: 10,
  /** Of one business: its keys that are neither revoked nor expired, and its webhooks of any status. */
  activeKeysPerBusiness: 50,
  /** How long the old value of a regenerated key may go on. */
  keyOverlapHoursMax: 24,
  /** On one UTC day; and for so many days after its last use a revoked key is still listed. */
  newKeysPerDay: 100,
  revokedKeyDays: 90,
  webhooksPerBusiness: 100,
  /** People whom the owners of a business invited, and the invitations of one UTC day: each is an email. */
  colleaguesPerBusiness: 50,
  invitationsPerDay: 20,

  /** docs/rules.md#retries: the wait before attempts 2 to 6; attempt 1 is immediate. */
  retryDelaysSeconds: [60, 300, 900, 3_600, 14_400],
  deliveryAttempts: 6,
  /** docs/rules.md#attempts: from the start of an attempt to the end of the response head. */
  deliveryTimeoutMs: 10_000,
  /** A receiver that takes longer than this is slow: its webhook stays in the slow queue for so many seconds. */
  slowReceiverMs: 3_000,
  slowQueueSeconds: 600,
  /** docs/rules.md#sending-budget: first attempts of one business, and all attempts at a host that has not answered it yet. */
  attemptsPerMinute: { business: 3_000, unansweredHost: 60 },
  /** docs/rules.md#disabling: deliveries that used up all attempts, in a row. */
  failedDeliveriesToDisable: 5,
  /** From so many on it counts as failing, and its next success as a recovery. */
  failedDeliveriesToWarn: 3,
  deliveryRetentionDays: 30,
  /** What one call of `recover` redelivers at most, and how many records it may read to find it. Takes seconds. */
  recoveredPerCall: 5_000,
  recordsPerRecovery: 100_000,
  recoverySeconds: 29,
  /** docs/rules.md#feed: how long a request waits for a message at most, and how often it looks for one. */
  feedWaitSeconds: 10,
  feedLookMs: 25,
  /** Requests of one business that wait at once; of one webhook it is one. */
  feedWaitersPerBusiness: 5,
  /** Of all businesses. */
  feedWaiters: 80,
  /** After a rotation, the old secret signs too for so long at most. */
  secretGraceSecondsMax: 604_800,
  /** Services, and staff members, that the filter of a webhook names at most. */
  filterIdsMax: 50,
  /** What a page of the deliveries of all webhooks reads at most, and how long its cursor is with a hundred of them. */
  recordsPerPage: 1_000,
  /** With something to show it ends when it has read so many and one and a half for each that it may show. */
  recordsForShortPage: 80,
  deliveriesCursorLength: 4_096,
  /** From the answer of one recovery of a webhook to the begin of the next. */
  recoveryPauseSeconds: 60,
  /** docs/rules.md#pings: at the same time. */
  pingsPerBusiness: 3,
  /** How often one delivery may be sent manually, and how many of these may fail before `recover` leaves it out. */
  manualAttemptsPerDelivery: 10,
  manualFailuresToLeaveOut: 3,
  /** How much of a receiver's answer is read, and how much of that the record keeps. */
  responseReadBytes: 16_384,
  responseKeptBytes: 1_024,
  responseHeaderBytes: 16_384,

  /** Amazon SQS refuses a longer DelaySeconds; a longer wait takes several messages, one after the other. */
  queueDelaySecondsMax: 900,

  bodyBytes: 65_536,
  bodyDepth: 32,
  /** Of a request that is not valid, so many are listed, and how many there are. */
  problemsListed: 50,

  /**
   * docs/rules.md#notices: what comes up for an address within a window is one email, written when a notice that came at
   * its end is on record for certain. And so many emails an address gets in 24 hours.
   */
  noticeWindowSeconds: 600,
  noticeSettleSeconds: 60,
  noticeMailsPerDay: 20,
  /** So long no other notice of the same kind about the same webhook or key is sent to an address. */
  noticePauseHours: 24,
  /** So many notices an email shows in full; it counts the others. */
  noticesPerMail: 10,
  /** How long the console shows that a webhook works again. */
  noticeRecoveredHours: 24,

  /** How long it is on record who changed what. */
  auditDays: 365,

  /** Longer than a request takes from its decision to the end of its commit: a list in the order of changes ends there. */
  changesSettleSeconds: 30,

  /** From one search for what is left of an erased client to the next. */
  erasurePauseSeconds: 300,

  pageSizeDefault: 20,
  pageSizeMax: 100,
  /** Bookings that one request names by id. */
  idsPerList: 100,

  /** docs/rules.md#statistics: how far back those of a webhook go, and how far off a percentile may be. */
  webhookStatisticsDays: 30,
  responseTimeErrorPercent: 5,
  /** Of records that the sweeper has not counted yet, an answer counts so many itself. */
  recordsCountedPerAnswer: 200,
  /** Days of a business's statistics in one answer, and what it reads for them, or for totals of payments, at most. */
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
  alternativeSlots: 3,

  /** docs/rules.md#sessions: how long a session lives at most, by its kind, and what it may be limited to. */
  sessionSecondsMin: 300,
  sessionSecondsDefault: 3_600,
  sessionSecondsMax: { booker: 86_400, booking: 7_776_000 },
  sessionBookingsMax: 5,
  sessionIdsMax: 50,
  holdsPerSession: 5,
  /** Of one phone or email, through one key that may not see personal data. */
  upcomingBookingsPerContact: 5,

  idempotencyKeyLength: 255,
  idempotencyHours: 24,

  targetUrlLength: 2_048,
  /** Of one webhook. */
  targetUrlChangesPerHour: 10,
  /** How long the write of a `targetUrl` waits for the name servers of a stranger. */
  targetUrlLookupMs: 1_000,
  webhookDescriptionLength: 255,
  nameLength: 200,
  /** Of a time in ISO 8601: nine digits of a second, an offset, and room. */
  instantLength: 40,
  /** A client is found by what any of so many words of the name, the first ones, begins with. */
  searchedWords: 5,
  textLength: 2_000,
  /** Strings of an integrator's own on a booking or a client. */
  metadataEntries: 20,
  metadataKeyLength: 40,
  metadataValueLength: 500,
  /** Digits of a phone (E.164 has no more), and characters with all that separates them. */
  phoneDigitsMin: 4,
  phoneDigitsMax: 15,
  phoneLength: 32,

  /** The account side: what a business may enter. */
  durationMinutesMax: 1_440,
  bufferMinutesMax: 720,
  /** Of a service, and of one booking. */
  capacityMax: 500,
  placesMax: 20,
  /** Services of one visit. */
  visitServicesMin: 2,
  visitServicesMax: 5,
  resourceKindLength: 50,
  slotStepMinutesMax: 1_440,
  noticeMinutesMax: 525_600,
  maxAdvanceDaysMax: 730,
  amountMax: 99_999_999_999,
  intervalsPerDay: 12,
  /** Staff of a service, or services of a staff member. Changing them is one transaction, which holds 100 items. */
  assignmentsMax: 90,
  /** A service that gains or loses a staff member costs two items: the service and its event. */
  assignmentChangesMax: 45,
  scheduleExceptionsMax: 1_000,
  originsPerKey: 50,
} as const;

/** Other calendars that say when a staff member is busy, and what each may say. They share one item with the schedule. */
export const busyLimits = { sourcesMax: 10, blocksMax: 500, aheadDays: 400 } as const;

/**
 * docs/rules.md#request-log. A write unit is 1 KB, of which keys and names of an item take some 140 bytes. A container
 * writes once for so many requests, and besides once a minute what failed.
 */
export const requestLogLimits = {
  days: 7,
  entriesPerWrite: 40,
  entryBytesPerWrite: 880,
  /** Between the first and the last request of one write: a page of the list reads so much further back. */
  batchHours: 1,
  /** Of a key, in a container: requests that were refused before they counted. */
  refusalsPerMinute: 10,
  /** The answer that an urgent write belongs to waits for it so long at most. */
  urgentMs: 50,
  /** Writes that a page of the list reads at most. */
  writesPerPage: 2_000,
} as const;

/** Of one kind of caller. */
export interface RequestLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

/**
 * Fails at import, and so at build time, when two numbers that belong together drift apart. Bundles leave it out: every
 * synth imports this file first.
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
  () => limits.manualFailuresToLeaveOut <= limits.manualAttemptsPerDelivery,
  'recover leaves out no later than redeliver refuses',
);
relation(
  () => limits.attemptsPerMinute.unansweredHost < limits.attemptsPerMinute.business,
  'one host does not use up the sending budget of a business',
);
relation(() => limits.slowReceiverMs < limits.deliveryTimeoutMs, 'a receiver is slow before it times out');
relation(() => limits.responseKeptBytes <= limits.responseReadBytes, 'what is kept of an answer was read');
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
