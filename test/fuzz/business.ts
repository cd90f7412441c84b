/** Two businesses for the fuzzer, with keys and tokens of every kind, and the values that it learned of each. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { limits } from '../../contract/limits.ts';
import { now } from '../../core/clock.ts';
import { createKeyValue } from '../../core/keys/key-value.ts';
import type { Admin } from '../../local/admin.ts';
import type { OwnerTokens } from '../../local/owner-tokens.ts';
import { createBusiness, createKey, type SeededKey } from '../../local/seed.ts';
import { setUse } from '../support/api-keys.ts';
import type { ApiName } from './published.ts';

/** The kinds of credentials. Most requests use `good`. */
export const credentials = ['good', 'none', 'garbage', 'unknown', 'twice', 'expired', 'weak', 'spent'] as const;
export type Credential = (typeof credentials)[number];
/** The header lines of each kind. */
type Credentials = Readonly<Record<Credential, readonly string[]>>;

/** The maximum of remembered ids of one kind. New ids replace the oldest. */
const rememberedOfAKind = 100;
/** The counter of a key's minute is reset before it has this many requests. */
const usesBeforeRefresh = 40;
const daysAhead = 25;

type Keys = Readonly<Record<'good' | 'expired' | 'weak' | 'spent', SeededKey>>;

export class Business {
  readonly id: number;
  /** All ids that belong only to this business. */
  readonly own = new Set<number>();
  readonly #admin: Admin;
  readonly #owners: OwnerTokens;
  readonly #pools = new Map<string, unknown[]>();
  #keys: Keys;
  #tokens: Credentials | undefined;
  #keyUses = 0;
  #tokenUses = 0;

  private constructor(admin: Admin, owners: OwnerTokens, id: number, keys: Keys) {
    this.id = id;
    this.#admin = admin;
    this.#owners = owners;
    this.#keys = keys;
    this.own.add(id);
  }

  static async create(admin: Admin, owners: OwnerTokens, targets: readonly string[]): Promise<Business> {
    const { business, services, staff } = await createBusiness(admin);
    const tenantId = business.id;
    const [good, expired, weak, spent] = await Promise.all([
      createKey(admin, { tenantId }),
      createKey(admin, { tenantId, expiresAt: 1 }),
      createKey(admin, { tenantId, scopes: ['business:read'], origins: ['https://shop.example'] }),
      createKey(admin, { tenantId }),
    ]);
    const created = new Business(admin, owners, tenantId, { good, expired, weak, spent });
    await setUse(admin, spent.hash, limits.requests.key.perDay);
    for (const { id } of services) created.#learn('serviceId', id);
    for (const { id } of staff) created.#learn('staffId', id);
    for (const target of targets) created.#learn('targetUrl', target);
    for (let day = 1; day <= daysAhead; day++) {
      const date = new Date(now() + day * 86_400_000).toISOString().slice(0, 10);
      created.#learn('date', date);
      for (const hour of ['09:00', '11:15', '13:30']) created.#learn('date-time', `${date}T${hour}:00Z`);
    }
    return created;
  }

  async credentials(api: ApiName, kind: Credential): Promise<readonly string[]> {
    return (api === 'integration' ? await this.#byKey() : await this.#byToken())[kind];
  }

  known(field: string, choice: number): unknown {
    const pool = this.#pools.get(field) ?? [];
    return pool[choice % Math.max(1, pool.length)];
  }

  /** Learns the ids, starts and cursors in a response to `path`, such as `/v1/account/services/{id}`. */
  learnFrom(path: string, body: unknown): void {
    const [, , , collection = '', second, third] = path.split('/');
    const noun = third === undefined && (second === undefined || second === '{id}') ? idField(collection) : undefined;
    this.#learnIn(body, noun);
  }

  #learnIn(value: unknown, noun: string | undefined): void {
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 20)) this.#learnIn(one, noun);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'data') this.#learnIn(inner, noun);
      else if (name === 'id' && noun) this.#learn(noun, inner);
      else if (name === 'nextCursor') this.#learn('cursor', inner);
      else if (name === 'startTime' || name === 'start') this.#learn('date-time', inner);
      else if (/Id$/.test(name)) this.#learn(name, inner);
      else if (name === 'slots') this.#learnIn(inner, undefined);
    }
  }

  #learn(field: string, value: unknown): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'number' && field !== 'externalId') this.own.add(value);
    const pool = this.#pools.get(field) ?? [];
    this.#pools.set(field, pool);
    if (pool.includes(value)) return;
    pool.push(value);
    if (pool.length > rememberedOfAKind) pool.shift();
  }

  async #byKey(): Promise<Credentials> {
    if (this.#keyUses++ % usesBeforeRefresh === 0) await this.#refreshKey();
    const { good, expired, weak, spent } = this.#keys;
    const header = (value: string) => `X-API-Key: ${value}`;
    return {
      good: [header(good.value)],
      none: [],
      garbage: [header('bk_live_\u00fft')],
      unknown: [`Authorization: Bearer ${createKeyValue({ test: true })}`],
      twice: [header(good.value), `Authorization: Bearer ${weak.value}`],
      expired: [header(expired.value)],
      weak: [header(weak.value), 'Origin: https://shop.example'],
      spent: [header(spent.value)],
    };
  }

  /** The limits have their own tests; here they must not refuse everything else. */
  async #refreshKey(): Promise<void> {
    const { good } = this.#keys;
    try {
      await setUse(this.#admin, good.hash, 0);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // A request has revoked it or changed its value: authentication would refuse most later requests.
      this.#keys = { ...this.#keys, good: await createKey(this.#admin, { tenantId: this.id }) };
    }
  }

  /** Tokens are reused for some requests, because signing takes longer than a request. */
  async #byToken(): Promise<Credentials> {
    const uses = this.#tokenUses++;
    if (this.#tokens && uses % usesBeforeRefresh !== 0) return this.#tokens;
    const { issuer, audience, sign } = this.#owners;
    const claims = { iss: issuer, aud: audience, token_use: 'id', exp: Math.floor(now() / 1_000) + 3_600 };
    const signed = async (more: object) => `Authorization: Bearer ${await sign({ ...claims, sub: 'nobody', ...more })}`;
    const mine = { 'custom:businessId': String(this.id) };
    const good = await signed({ ...mine, sub: `owner-of-${this.id}-${uses}` });
    this.#tokens = {
      good: [good],
      none: [],
      garbage: ['Authorization: Bearer a.b.c'],
      unknown: [await signed({ ...mine, aud: 'another-audience' })],
      twice: [good, 'Authorization: Bearer another'],
      expired: [await signed({ ...mine, exp: 1 })],
      weak: [await signed({})],
      spent: [await signed({ 'custom:businessId': '0' })],
    };
    return this.#tokens;
  }
}

/** `services` → `serviceId`: the field with an id of that collection in other resources. */
export function idField(collection: string): string {
  return `${collection === 'staff' ? collection : collection.replace(/s$/, '')}Id`;
}
