/** What differs between the stages. `npx cdk synth -c stage=prod`; without it the stage is `dev`. */

interface StageRow {
  readonly logRetentionDays: number;
  /** Requests per second and burst over the whole API, before the limits of each key. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** Whether logs outlive their stack, and whether deleting the stack of the tables is refused. */
  readonly keepsLogs: boolean;
  readonly protectsData: boolean;
}

const stages = {
  dev: { logRetentionDays: 14, throttle: { rate: 500, burst: 1_000 }, keepsLogs: false, protectsData: false },
  prod: { logRetentionDays: 90, throttle: { rate: 2_000, burst: 4_000 }, keepsLogs: true, protectsData: true },
} as const satisfies Record<string, StageRow>;

export type StageName = keyof typeof stages;

export const stageNames = Object.keys(stages) as [StageName, ...StageName[]];

export interface Stage extends StageRow {
  readonly name: StageName;
  /** First part of every physical name: `booking-dev`. */
  readonly prefix: string;
}

export function stageNamed(name: unknown): Stage {
  const known = stageNames.find((stage) => stage === name);
  if (!known)
    throw new Error(`There is no stage ${JSON.stringify(name)}. Use -c stage=${stageNames.join(' or -c stage=')}.`);
  return { name: known, prefix: `booking-${known}`, ...stages[known] };
}
