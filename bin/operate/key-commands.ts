/** The commands of `npm run operate -- keys`, which call the functions of the account API. */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import * as routes from '../../contract/account/routes.ts';
import { email as emailAddress } from '../../contract/fields.ts';
import { stores } from '../../contract/system/needs.ts';
import { getBusiness } from '../../core/catalog/read.ts';
import { newId } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { validationMessage } from '../../core/http/validation-messages.ts';
import { createApiKey } from '../../core/keys/create-key.ts';
import { listApiKeys } from '../../core/keys/read-keys.ts';
import { regenerateApiKey } from '../../core/keys/regenerate-key.ts';
import { revokeApiKey } from '../../core/keys/revoke-key.ts';
import { isSandbox, tenantIn } from '../../core/mode.ts';
import type { Principal } from '../../core/principal.ts';
import { updateBusiness } from '../../core/setup/update-business.ts';
import { getItem } from '../../core/store/read.ts';
import { records } from '../../core/table-keys.ts';
import { UsageError } from '../command-line.ts';
import type { KeyFlags } from './keys.ts';
import { inventory, offboard } from './offboard.ts';
import { regionArguments, selectStage } from './stage-tables.ts';

const commands: Readonly<Record<string, (flags: KeyFlags) => Promise<unknown>>> = {
  create: async (flags) =>
    createApiKey(
      await existing(businessOf(flags)),
      checked(routes.createApiKey.body, {
        name: flags.name,
        scopes: flags.scopes?.split(','),
        scopeSet: flags['scope-set'],
        allowedOrigins: flags.origins?.split(','),
        expiresAt: flags.expires,
      }),
    ),
  list: (flags) => listApiKeys(businessOf(flags), { limit: Number.MAX_SAFE_INTEGER }),
  regenerate: (flags) => regenerateApiKey(businessOf(flags), { id: idFlag('--id', flags.id) }),
  revoke: (flags) => revokeApiKey(businessOf(flags), { id: idFlag('--id', flags.id) }),
  onboard,
  invite,
  offboard: offboardBusiness,
};

/** Prints the result of the command on stdout, as one line of JSON. */
export async function runKeyCommand(name: string, flags: KeyFlags): Promise<void> {
  const command = commands[name];
  if (!command) throw new UsageError(`There is no command '${name}'.`);
  // A missing id is reported before the tables are looked up.
  if (command !== onboard) businessOf(flags);
  await selectStage(flags.stage, name === 'offboard' ? stores : ['keys', 'records']);
  z.config({ localeError: validationMessage });
  try {
    console.log(JSON.stringify(await command(flags)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError([error.message, ...detailsOf(error)].join(' '));
  }
}

async function onboard(flags: KeyFlags): Promise<unknown> {
  const email = flags.email;
  const pool = flags['user-pool'];
  if ((email === undefined) !== (pool === undefined))
    throw new UsageError('Give both --email and --user-pool, or neither.');
  const body = checked(routes.updateBusiness.body, {
    name: flags.name,
    timeZone: flags['time-zone'],
    currency: flags.currency,
  });
  if (email !== undefined) assertAddress(email);
  const business = await updateBusiness(operatorOf(newId()), body);
  if (email === undefined || pool === undefined) return { businessId: business.id, name: business.name, owner: null };
  // An interrupted invitation must not hide the id.
  console.error(`Created business ${business.id}. Inviting ${email} …`);
  const owner = await inviteOwner(pool, email, business.id);
  return { businessId: business.id, name: business.name, owner };
}

/** Owners of one business are equal: each has all rights in it. */
async function invite(flags: KeyFlags): Promise<unknown> {
  const { email, 'user-pool': pool, test } = flags;
  if (email === undefined || pool === undefined) throw new UsageError('Give --email and --user-pool.');
  if (test) throw new UsageError('Leave out --test: an owner of a business may also use its sandbox.');
  assertAddress(email);
  const { id, name } = await getBusiness(businessOf(flags));
  return { businessId: id, name, owner: await inviteOwner(pool, email, id) };
}

/**
 * Lists or deletes all data of a business. A second run finds what an interrupted one left: the name is then gone, and
 * the id confirms.
 */
async function offboardBusiness(flags: KeyFlags): Promise<unknown> {
  const { business, confirm, test, 'user-pool': pool } = flags;
  if (test) throw new UsageError('Leave out --test: offboard always deletes a business together with its sandbox.');
  const businessId = idFlag('--business', business);
  const found = await getItem<{ name: string }>('records', records.business(businessId));
  const name = found?.name ?? String(businessId);
  if (confirm !== undefined && confirm !== name) throw new UsageError(`--confirm must be ${JSON.stringify(name)}.`);
  const owners = pool === undefined ? [] : await ownersOf(pool, businessId);
  if (confirm === undefined) return { businessId, name, owners: owners.length, found: await inventory(businessId) };
  console.error(`Deleting the data of business ${businessId}. This takes at least two minutes.`);
  for (const owner of owners) {
    await aws(['cognito-idp', 'admin-delete-user', '--user-pool-id', pool ?? '', '--username', owner]);
  }
  return { businessId, name, owners: owners.length, deleted: await offboard(businessId) };
}

interface PoolUser {
  readonly Username: string;
  readonly Attributes: readonly { readonly Name: string; readonly Value: string }[];
}

/** A pool cannot search by custom attributes, so all its users are read. */
async function ownersOf(pool: string, businessId: number): Promise<string[]> {
  const { Users } = JSON.parse(
    await aws(['cognito-idp', 'list-users', '--user-pool-id', pool, '--output', 'json']),
  ) as { readonly Users: readonly PoolUser[] };
  const isOwner = ({ Attributes }: PoolUser) =>
    Attributes.some(({ Name, Value }) => Name === 'custom:businessId' && Value === String(businessId));
  return Users.filter(isOwner).map(({ Username }) => Username);
}

async function aws(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('aws', [...args, ...regionArguments()], { maxBuffer: 2 ** 28 });
  return stdout;
}

/** The address becomes part of an argument in which a comma would begin another attribute of the user. */
function assertAddress(address: string): void {
  if (!z.safeParse(emailAddress(), address).success || address.includes(',')) {
    throw new UsageError(`--email: ${JSON.stringify(address)} is not an email address.`);
  }
}

/**
 * Returns the address, or null if the owner was not invited. Only this command sets the claim: an owner's own token
 * cannot change it.
 */
async function inviteOwner(pool: string, email: string, tenantId: number): Promise<string | null> {
  const args = [
    ...['cognito-idp', 'admin-create-user', '--user-pool-id', pool, '--username', email],
    ...['--desired-delivery-mediums', 'EMAIL', '--user-attributes'],
    ...[`Name=email,Value=${email}`, 'Name=email_verified,Value=true', `Name=custom:businessId,Value=${tenantId}`],
    ...regionArguments(),
  ];
  const failed = await new Promise<boolean>((resolve) => {
    const child = spawn('aws', args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', () => resolve(true));
    child.once('close', (code) => resolve(code !== 0));
  });
  if (!failed) return email;
  const shown = args.map(forShell).join(' ');
  console.error(`The owner of business ${tenantId} was not invited. To try again, run:\n  aws ${shown}`);
  process.exitCode = 1;
  return null;
}

function forShell(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** A key of a missing business would be useless without any error. The first test key creates a sandbox. */
async function existing(principal: Principal): Promise<Principal> {
  if (!isSandbox(principal.tenantId)) await getBusiness(principal);
  return principal;
}

function businessOf({ business, test }: KeyFlags) {
  const tenantId = tenantIn(test ? 'test' : 'live', idFlag('--business', business));
  return operatorOf(tenantId);
}

/** The platform engineer acts with the rights of the business's owner. */
function operatorOf(tenantId: number) {
  return { tenantId, actor: { kind: 'owner', role: 'owner', subject: 'operator' } } as const;
}

function idFlag(flag: string, value: string | undefined): number {
  if (value === undefined || !/^[1-9][0-9]{0,15}$/.test(value)) throw new UsageError(`${flag} must be an id.`);
  return Number(value);
}

/** Validates with the schema of the request; omitted flags are absent fields. */
function checked<S extends z.core.$ZodType>(schema: S, fields: Readonly<Record<string, unknown>>): z.core.output<S> {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const result = z.safeParse(schema, present);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new UsageError(`${problems.join('; ')}.`);
}

function detailsOf({ extras: { details } }: ApiError): string[] {
  return Array.isArray(details) ? details.map(({ path, message }) => `${path}: ${message}.`) : [];
}
