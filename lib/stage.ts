/**
 * What differs between the stages. `npx cdk synth -c stage=prod`; without it the stage is `dev`. Any other name is a stage
 * of a branch, `-c stage=pr-42`: it stands beside the others in one account, and leaves nothing behind.
 */

import { limits } from '../contract/limits.ts';

/** `atOnce` is reserved of the account's concurrency, which a new account may not have: only where customers are. */
export interface RouteBounds {
  readonly rate: number;
  readonly burst: number;
  readonly atOnce?: number;
}

interface StageRow {
  readonly logRetentionDays: number;
  /** Requests per second and burst over the whole API, before the limits of each key. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** The same for a route whose requests may hold a function for long; and how many of its functions run at once. */
  readonly heldRoute: RouteBounds;
  /** How many functions of a route run at once whose requests wait for something to read. */
  readonly waitingRoute: Pick<RouteBounds, 'atOnce'>;
  /** Whether logs outlive their stack. */
  readonly keepsLogs: boolean;
  /** Whether tables, keys and owners outlive their stack, and cannot be deleted by a slip. */
  readonly keepsData: boolean;
  /** Whether deleting a stack is refused: with one go the records, the address that integrators call, or all sign-ins. */
  readonly protectsStacks: boolean;
  /** Whether owners may come back from signing in to a console on this machine. */
  readonly hasLocalConsole: boolean;
  /** Whether passwords that are known elsewhere and odd sign-ins are refused, at $0.02 an owner who signs in. */
  readonly protectsSignIns: boolean;
  /** Whether it has alarms and a dashboard, which an operator must look at and pay for. */
  readonly watched: boolean;
  /** Whether new versions of the functions that matter most reach a tenth of the calls first. */
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
    // The rest reads without waiting.
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
  logRetentionDays: 3,
  throttle: { rate: 100, burst: 200 },
  heldRoute: { rate: 5, burst: 10 },
  waitingRoute: {},
  keepsLogs: false,
  keepsData: false,
  protectsStacks: false,
  hasLocalConsole: true,
  protectsSignIns: false,
  watched: false,
  canaries: false,
};

type StageName = keyof typeof stages;

/** The stages with a row of their own. */
export const stageNames = Object.keys(stages) as [StageName, ...StageName[]];

export interface Stage extends StageRow {
  readonly name: string;
  /** First part of every physical name: `booking-dev`. */
  readonly prefix: string;
}

/** The longest name of a function has 64 letters, and 36 of them are not the stage's. */
const stageName = /^[a-z][a-z0-9-]{0,19}$/;
/** Cognito refuses them in the address where owners sign in, in the middle of a deployment. */
const reserved = /aws|amazon|cognito/;

export function stageNamed(name: unknown): Stage {
  if (typeof name !== 'string' || !stageName.test(name) || name.endsWith('-') || reserved.test(name)) {
    throw new Error(
      `${JSON.stringify(name)} cannot be a stage: use dev, prod, or a branch's name of at most 20 small letters, digits and hyphens, without aws, amazon or cognito.`,
    );
  }
  const known = stageNames.find((stage) => stage === name);
  return { name, prefix: `booking-${name}`, ...(known ? stages[known] : branchStage) };
}
