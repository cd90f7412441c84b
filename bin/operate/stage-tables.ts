/**
 * Functions get their tables from their environment; a command reads them from the outputs of the Data stack, including
 * restored or given ones. A table's own name is not enough: after a restore the old one still exists.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Store } from '../../contract/system/needs.ts';
import { tableOutput } from '../../lib/names.ts';
import { stageNamed } from '../../lib/stage.ts';
import { UsageError } from '../command-line.ts';

type Outputs = readonly { readonly OutputKey: string; readonly OutputValue: string }[];

/**
 * Sets the environment of a command for a stage: the region, the tables that are not set already, and more attempts. A
 * new or restored table throttles a command that reads all of it. Throws one sentence if no stage is named, if the
 * stage has no stack in this account and region, or if the AWS command line fails.
 */
export async function selectStage(stage: string | undefined, stores: readonly Store[]): Promise<void> {
  if (stage === undefined) throw new UsageError('Set --stage: it selects the tables that the command uses.');
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_PROFILE, AWS_DEFAULT_PROFILE, AWS_ACCESS_KEY_ID } = process.env;
  // If two are set, the SDK and the AWS command line may use different ones, perhaps of different accounts.
  const profile = AWS_PROFILE || AWS_DEFAULT_PROFILE;
  if (profile && AWS_ACCESS_KEY_ID)
    throw bothSet(AWS_PROFILE ? 'AWS_PROFILE' : 'AWS_DEFAULT_PROFILE', 'AWS_ACCESS_KEY_ID');
  if (AWS_DEFAULT_PROFILE && AWS_DEFAULT_PROFILE !== profile) throw bothSet('AWS_PROFILE', 'AWS_DEFAULT_PROFILE');
  // The SDK does not read AWS_DEFAULT_PROFILE: it would use another account, perhaps with a stage of the same name.
  if (profile) process.env.AWS_PROFILE = profile;
  // The SDK does not read this variable: it would use the region of the profile, whose replicas have the same names.
  if (!AWS_REGION && AWS_DEFAULT_REGION) process.env.AWS_REGION = AWS_DEFAULT_REGION;
  process.env.MAX_ATTEMPTS = '10';
  const missing = stores.filter((store) => !process.env[variableOf(store)]);
  if (missing.length === 0) return;
  const stack = `${stageNamed(stage).prefix}-data`;
  const found = new Map((await outputsOf(stack)).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  for (const store of missing) {
    const output = tableOutput(store);
    const table = found.get(output);
    if (!table) throw new Error(`The stack ${stack} has no output ${output}: deploy it again.`);
    process.env[variableOf(store)] = table;
  }
}

function bothSet(one: string, other: string): Error {
  return new Error(`${one} and ${other} are both set, perhaps for different accounts: unset one of them.`);
}

function variableOf(store: Store): string {
  return `TABLE_${store.toUpperCase()}`;
}

/** Arguments for version 1 of the AWS command line, which ignores AWS_REGION. */
export function regionArguments(): string[] {
  const { AWS_REGION: region } = process.env;
  return region ? ['--region', region] : [];
}

async function outputsOf(stack: string): Promise<Outputs> {
  const args = ['cloudformation', 'describe-stacks', '--stack-name', stack, '--query', 'Stacks[0].Outputs'];
  const all = [...args, '--output', 'json', ...regionArguments()];
  try {
    const { stdout } = await promisify(execFile)('aws', all);
    return (JSON.parse(stdout) as Outputs | null) ?? [];
  } catch (error) {
    // The command line, region, credentials or stack may be missing: AWS's messages do not state what to do.
    const { code, stderr = '', message } = error as Error & { code?: unknown; stderr?: string };
    const why = code === 'ENOENT' ? 'there is no command aws' : (stderr.trim() || message).replace(/\.$/, '');
    throw new Error(
      `The tables of the stage are unknown, because the stack ${stack} cannot be read: ${why}. Is it deployed, and are AWS_REGION and AWS_PROFILE set?`,
      { cause: error },
    );
  }
}
