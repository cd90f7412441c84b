/**
 * Records attempts. An attempt that changes its own record and nothing else, as nearly all do, is one plain conditional
 * write, and a batch of them one call. The others go in transactions, the whole batch in one if nobody is in the way.
 */
import { chunksOf } from '../../chunks.ts';
import { randomFraction, sleep } from '../../clock.ts';
import { env } from '../../env.ts';
import { log } from '../../log.ts';
import { batchGet, type Wanted } from '../../store/batch-get.ts';
import { transact, type Write } from '../../store/transact.ts';
import { type Statement, writeEach } from '../../store/write-each.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type Found, findDeliveries } from './find.ts';
import type { DeliveryMessage } from './messages.ts';
import { type AttemptResult, admit, announced, type Next, type Settlement, settle } from './state.ts';
import { ownWrite, writesFor } from './writes.ts';

/** An attempt that was made, or that fell due in vain. */
export interface Made {
  readonly message: DeliveryMessage;
  readonly found: Found;
  readonly result: AttemptResult;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** DynamoDB's limit of one transaction. */
export const writesPerTransaction = 100;
/** A group of one webhook writes two items an attempt at most, and two more. */
const attemptsPerGroup = 49;
/** As many as let a hundred batches through that all hold retries of one webhook, within a few seconds. */
const rounds = 20;
const firstPauseMs = 20;
const pauseMsMax = 2_000;

/** Per attempt, what comes next once it is on record. Rejects when it could not be recorded. */
export function commit(made: readonly Made[]): readonly Promise<Next>[] {
  const decided = made.map((one) => decide(one, one.found));
  const own = decided.flatMap((one) => {
    const statement = one.settlement && ownWrite(one.made.found.head, one.settlement);
    const plain = statement && (one.settlement?.failures === 'keep' || isSteady(one.made.found.webhook));
    return plain && one.settlement?.failures !== 'count' ? [{ ...one, statement }] : [];
  });
  const alone = new Set(own.map((one) => one.made));
  const nexts = new Map([
    ...recordOwn(own),
    ...recordTogether(decided.map((one) => one.made).filter((one) => !alone.has(one))),
  ]);
  return made.map((one) => nexts.get(one) ?? Promise.resolve({ kind: 'stop' }));
}

interface Decided {
  readonly made: Made;
  readonly next: Next;
  readonly settlement?: Settlement;
}

function decide(made: Made, found: Found | undefined): Decided {
  // Deleted meanwhile: what was pending for it is dropped (decisions §6).
  if (!found) return { made, next: { kind: 'stop' } };
  switch (admit(found.head, made.message.attempt)) {
    case 'drop':
      return { made, next: { kind: 'stop' } };
    case 'announce':
      return { made, next: announced(found.head, made.endedAt) };
    case 'attempt': {
      const settlement = settle(found.head, made.result, made.endedAt, env.timeScale());
      return { made, next: settlement.next, settlement };
    }
  }
}

/** A success changes nothing in a webhook whose counter is 0. */
function isSteady({ consecutiveFailures }: WebhookItem): boolean {
  return consecutiveFailures === 0;
}

type Own = Decided & { readonly statement: Statement };

function recordOwn(own: readonly Own[]): readonly (readonly [Made, Promise<Next>])[] {
  const written = writeOwn(own);
  const rest = written.then((done) => {
    const missed = own.filter((_, i) => !done[i]).map(({ made }) => made);
    return new Map(
      groupsOf(missed).flatMap((some) => {
        const settled = commitAlone(some);
        return some.map((made, i) => [made, settled.then((all) => all[i] ?? { kind: 'stop' as const })] as const);
      }),
    );
  });
  return own.map(({ made, next }) => [made, rest.then((alone) => alone.get(made) ?? next)] as const);
}

/** Whether each of these is on record now. */
async function writeOwn(own: readonly Own[]): Promise<readonly boolean[]> {
  const steady = await stillSteady(own);
  const writing = own.filter((one) => steady.has(one));
  const ends = await writeEach(writing.map(({ statement }) => statement));
  return own.map((one) => ends[writing.indexOf(one)] === 'done');
}

/**
 * A success sets the counter to 0. Whether it is 0 still is looked up after the attempts, which take up to ten seconds:
 * a failure that was counted meanwhile came before the success and must not stand.
 */
async function stillSteady(own: readonly Own[]): Promise<ReadonlySet<Own>> {
  const successes = own.filter(({ settlement }) => settlement?.failures === 'reset');
  if (successes.length === 0) return new Set(own);
  const others = own.filter((one) => !successes.includes(one));
  try {
    const place = ({ made }: Own): Wanted => {
      const { pk, sk } = made.found.webhook;
      return { store: 'deliveries', key: { pk, sk } };
    };
    const lookup = await batchGet(successes.map(place));
    return new Set([
      ...others,
      ...successes.filter((one) => {
        const webhook = lookup<WebhookItem>(place(one));
        return webhook !== undefined && isSteady(webhook);
      }),
    ]);
  } catch (error) {
    log.warn('The webhooks of a batch cannot be read again', { error });
    return new Set(others);
  }
}

/** Attempts of one webhook. */
interface Group {
  readonly webhookId: number | undefined;
  readonly attempts: readonly Decided[];
  readonly writes: readonly Write[];
}

function recordTogether(made: readonly Made[]): readonly (readonly [Made, Promise<Next>])[] {
  const groups = groupsOf(made).map((some) => decideTogether(some.map((one) => ({ one, found: one.found }))));
  return [...pack(groups)].flatMap((together) => {
    const written = tryToWrite(together.flatMap(({ writes }) => writes));
    return together.flatMap(({ attempts }) => {
      const settled = written.then((done) =>
        done ? attempts.map(({ next }) => next) : commitAlone(attempts.map((one) => one.made)),
      );
      return attempts.map((one, i) => [one.made, settled.then((all) => all[i] ?? { kind: 'stop' as const })] as const);
    });
  });
}

/** By webhook, and no more together than a transaction holds. */
function groupsOf(made: readonly Made[]): (readonly Made[])[] {
  return [...Map.groupBy(made, ({ message }) => message.webhookId).values()].flatMap((some) =>
    chunksOf(some, attemptsPerGroup),
  );
}

/** Decides for the attempts of one webhook, on what was last read of it. */
function decideTogether(attempts: readonly { one: Made; found: Found | undefined }[]): Group {
  const decided = attempts.map(({ one, found }) => ({ decided: decide(one, found), one, found }));
  const webhook = decided.find(({ found }) => found)?.found?.webhook;
  const settled = decided.flatMap(({ decided: { settlement }, one, found }) =>
    settlement && found ? [{ ...one, head: found.head, settlement }] : [],
  );
  return {
    webhookId: webhook?.id,
    attempts: decided.map((one) => one.decided),
    writes: webhook ? writesFor(webhook, settled) : [],
  };
}

/** Fills transactions with whole groups, of each webhook one: no transaction may write an item twice. */
function* pack(groups: readonly Group[]): Generator<readonly Group[]> {
  let together: Group[] = [];
  let count = 0;
  for (const one of groups) {
    const isFull = count + one.writes.length > writesPerTransaction;
    if (isFull || together.some(({ webhookId }) => webhookId === one.webhookId)) {
      yield together;
      together = [];
      count = 0;
    }
    together.push(one);
    count += one.writes.length;
  }
  if (together.length > 0) yield together;
}

async function tryToWrite(writes: readonly Write[]): Promise<boolean> {
  if (writes.length === 0) return true;
  try {
    return (await transact(writes)) === 'committed';
  } catch {
    // The requests were made: an unclear answer is looked into, not passed on, because passing it on repeats them.
    return false;
  }
}

/** Attempts of one webhook: reads again and decides again until the writes hold. */
async function commitAlone(made: readonly Made[]): Promise<readonly Next[]> {
  for (let round = 1; ; round++) {
    await sleep(randomFraction() * Math.min(pauseMsMax, firstPauseMs * 2 ** round));
    try {
      const found = await findDeliveries(made.map(({ message }) => message));
      const { attempts: decided, writes } = decideTogether(made.map((one, i) => ({ one, found: found[i] })));
      if (writes.length === 0 || (await transact(writes)) === 'committed') return decided.map(({ next }) => next);
    } catch (error) {
      if (round === rounds) throw error;
    }
    if (round === rounds) throw new Error(`An attempt could not be recorded in ${rounds} rounds`);
  }
}
