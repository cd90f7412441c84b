/** Records attempts: the whole batch in one transaction if nobody is in the way, else each webhook on its own. */
import { randomFraction, sleep } from '../clock.ts';
import { env } from '../env.ts';
import { transact, type Write } from '../records/transact.ts';
import { type Found, findDeliveries } from './find.ts';
import type { DeliveryMessage } from './messages.ts';
import { type AttemptResult, admit, announced, type Next, type Settlement, settle } from './state.ts';
import { writesFor } from './writes.ts';

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
const rounds = 8;
const firstPauseMs = 20;

/** Per attempt, what comes next once it is on record. Rejects when it could not be recorded. */
export function commit(made: readonly Made[]): readonly Promise<Next>[] {
  const groups = [...Map.groupBy(made, ({ message }) => message.webhookId).values()].flatMap(inGroups);
  const nexts = new Map<Made, Promise<Next>>();
  for (const together of pack(groups)) {
    const written = tryToWrite(together.flatMap(({ writes }) => writes));
    for (const { attempts } of together) {
      const settled = written.then((done) => (done ? attempts.map(({ next }) => next) : commitAlone(attempts)));
      attempts.forEach(({ made: one }, i) => {
        nexts.set(
          one,
          settled.then((all) => all[i] ?? { kind: 'stop' }),
        );
      });
    }
  }
  return made.map((one) => nexts.get(one) ?? Promise.resolve({ kind: 'stop' }));
}

interface Decided {
  readonly made: Made;
  readonly next: Next;
  readonly settlement?: Settlement;
}

interface Group {
  readonly attempts: readonly Decided[];
  readonly writes: readonly Write[];
}

function inGroups(made: readonly Made[]): Group[] {
  return Array.from({ length: Math.ceil(made.length / attemptsPerGroup) }, (_, i) =>
    group(made.slice(i * attemptsPerGroup, (i + 1) * attemptsPerGroup).map((one) => ({ one, found: one.found }))),
  );
}

/** Decides for the attempts of one webhook, on what was last read of it. */
function group(attempts: readonly { one: Made; found: Found | undefined }[]): Group {
  const decided = attempts.map(({ one, found }) => ({ decided: decide(one, found), one, found }));
  const webhook = decided.find(({ found }) => found)?.found?.webhook;
  const settled = decided.flatMap(({ decided: { settlement }, one, found }) =>
    settlement && found ? [{ ...one, head: found.head, settlement }] : [],
  );
  return { attempts: decided.map((one) => one.decided), writes: webhook ? writesFor(webhook, settled) : [] };
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

/** Fills transactions with whole groups. */
function* pack(groups: readonly Group[]): Generator<readonly Group[]> {
  let together: Group[] = [];
  let count = 0;
  for (const one of groups) {
    if (count + one.writes.length > writesPerTransaction) {
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

/** Reads again and decides again until the group's writes hold. */
async function commitAlone(attempts: readonly Decided[]): Promise<readonly Next[]> {
  const made = attempts.map((one) => one.made);
  for (let round = 1; ; round++) {
    await sleep(randomFraction() * firstPauseMs * 2 ** round);
    try {
      const found = await findDeliveries(made.map(({ message }) => message));
      const { attempts: decided, writes } = group(made.map((one, i) => ({ one, found: found[i] })));
      if (writes.length === 0 || (await transact(writes)) === 'committed') return decided.map(({ next }) => next);
    } catch (error) {
      if (round === rounds) throw error;
    }
    if (round === rounds) throw new Error(`An attempt could not be recorded in ${rounds} rounds`);
  }
}
