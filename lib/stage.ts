/**
 * The differences between the stages. `npx cdk synth -c stage=prod`; the default is `dev`. Any other name is the stage
 * of a branch, `-c stage=pr-42`: it exists beside other stages in one account, and its deletion leaves nothing behind.
 */

import { limits } from '../contract/limits.ts';

/** `atOnce` reserves account concurrency, which new accounts may lack: only stages with customers set it. */
export interface RouteBounds {
  readonly rate: number;
  readonly burst: number;
  readonly atOnce?: number;
}

interface StageRow {
  readonly logRetentionDays: number;
  /** Requests per second and burst over the whole API, before the limits of each key. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** The same limits of routes whose requests may occupy a function for long, and its reserved concurrency. */
  readonly heldRoute: RouteBounds;
  /** The reserved concurrency of a route whose requests wait for something to read. */
  readonly waitingRoute: Pick<RouteBounds, 'atOnce'>;
  readonly keepsLogs: boolean;
  /** Whether tables, keys and owners outlive their stack and have deletion protection. */
  readonly keepsData: boolean;
  /** Whether stacks cannot be deleted: that would lose the records, the address of the API, or all sign-ins. */
  readonly protectsStacks: boolean;
  /** Whether owners may return from signing in to a console on localhost. */
  readonly hasLocalConsole: boolean;
  /** Whether leaked passwords and unusual sign-ins are refused, at $0.02 per owner who signs in. */
  readonly protectsSignIns: boolean;
  /** Whether the stage has alarms and a dashboard, which need an operator and cost money. */
  readonly watched: boolean;
  /** Whether new versions of the most important functions get a tenth of the calls first. */
  readonly canaries: boolean;
}

const stages = {
  dev: {
    logRetentionDays: 14,
    throttle: { rate: 500, burst: 1_000 },
    heldRoute: { rate: 5, burst: 10 },
    waitingRoute: {},
    keepsLogs: false,
    keepsData: true,
    protectsStacks: false,
    hasLocalConsole: true,
    protectsSignIns: false,
    watched: true,
    canaries: false,
  },
  prod: {
    logRetentionDays: 90,
    throttle: { rate: 2_000, burst: 4_000 },
    heldRoute: { rate: 20, burst: 40, atOnce: 20 },
    // The additional 20 are for requests that read without waiting.
    waitingRoute: { atOnce: limits.feedWaiters + 20 },
    keepsLogs: true,
    keepsData: true,
    protectsStacks: true,
    hasLocalConsole: false,
    protectsSignIns: true,
    watched: true,
    canaries: true,
  },
} as const satisfies Record<string, StageRow>;

const branchStage: StageRow = {
  ...stages.dev,
  logRetentionDays: 3,
  throttle: { rate: 100, burst: 200 },
  keepsData: false,
  watched: false,
};

type StageName = keyof typeof stages;

/** The stages with a row of their own. */
export const stageNames = Object.keys(stages) as [StageName, ...StageName[]];

export interface Stage extends StageRow {
  readonly name: string;
  /** The first part of every physical name: `booking-dev`. */
  readonly prefix: string;
}

/**
 * A function's name has at most 64 characters, and 36 of them are not the stage's. Commands of the runbooks find what
 * belongs to prod by the prefix `booking-prod-`.
 */
const stageName = /^(?!prod-)[a-z][a-z0-9-]{0,19}$/;
/** Cognito refuses these words in the domain of the sign-in pages, in the middle of a deployment. */
const reserved = /aws|amazon|cognito/;

export function stageNamed(name: unknown): Stage {
  if (typeof name !== 'string' || !stageName.test(name) || name.endsWith('-') || reserved.test(name)) {
    throw new Error(
      `${JSON.stringify(name)} cannot be a stage: use dev, prod, or a branch's name of at most 20 small letters, digits and hyphens, without aws, amazon or cognito, that does not begin with prod-.`,
    );
  }
  const known = stageNames.find((stage) => stage === name);
  return { name, prefix: `booking-${name}`, ...(known ? stages[known] : branchStage) };
}
