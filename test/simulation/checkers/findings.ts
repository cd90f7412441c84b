/** The violations, and how often everything else happened. */

const shownViolations = 20;

/** How calls of one operation ended. `broken`: with a 5xx response, or without one because the function crashed. */
export interface CallEnds {
  answered: number;
  refused: number;
  broken: number;
}

const noEnds = (): CallEnds => ({ answered: 0, refused: 0, broken: 0 });

export class Findings {
  readonly violations: string[] = [];
  violationCount = 0;
  readonly counts = {
    events: 0,
    deliveries: 0,
    requests: 0,
    /** Attempts in the statistics of all webhooks at the end; each was found in a log. */
    attemptsCounted: 0,
    /** The number of counted attempts after half of the logs has passed its 30 days. */
    attemptsCountedAfterExpiry: 0,
    repeated: 0,
    /** The ends of scheduled attempts. */
    success: 0,
    failed: 0,
    disabled: 0,
    dropped: 0,
    webhooksDisabled: 0,
    latestMs: 0,
    /** Records with `trigger: manual`, and how they ended. */
    redeliveries: { requested: 0, success: 0, failed: 0, disabled: 0, dropped: 0 },
    /** Records of pings. `brokenOff`: ended by the sweeper. */
    pings: { sent: 0, success: 0, failed: 0, brokenOff: 0, dropped: 0 },
    calls: { redeliver: noEnds(), recover: noEnds(), ping: noEnds() },
  };

  report(sentence: string): void {
    this.violationCount += 1;
    if (this.violations.length < shownViolations) this.violations.push(sentence);
  }
}

export type Counts = Findings['counts'];
