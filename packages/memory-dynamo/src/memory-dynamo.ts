/**
 * DynamoDB in memory: executes the commands of the document client without the client's own code, which costs more than
 * everything else in a simulation. It rejects what DynamoDB rejects: too much in one call, an item twice in one
 * transaction, unused placeholders. It counts the units that a request consumes (except those of a failed statement in
 * a batch). `packages/memory-dynamo/test` compares it with an emulator.
 */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type {
  BatchExecuteStatementCommandInput,
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactGetCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { Meter, maxTransactionBytes, readCostFactor, storedSize } from './capacity.ts';
import { parseCondition, parseUpdate } from './expression.ts';
import { checkGiven, checkTargets, type Placeholders } from './operands.ts';
import { projectionOf } from './projection.ts';
import { type Page, query, scan } from './query.ts';
import {
  cancelled,
  conditionFailed,
  inapplicable,
  invalid,
  isInapplicable,
  missing,
  returnedItem,
} from './refusals.ts';
import { planStatement } from './statement.ts';
import { type Change, Table, type TableShape } from './table.ts';
import { type Item, shown, stored } from './value.ts';

/** Ways in which a request does less than it could, within the guarantees of DynamoDB. */
export interface Shortfall {
  /** Returns whether a key or write of a batch is left unprocessed. */
  readonly leavesOut?: (() => boolean) | undefined;
  /** The maximum of items in a page. */
  readonly pageItems?: number | undefined;
}

/** A command of the document client. */
export interface Command {
  readonly input: object;
  readonly constructor: { readonly name: string };
}

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;
type OneWrite = Writes[number];
type Conditional = Placeholders & {
  readonly TableName: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
};

interface Decision {
  readonly change: Change;
  /** A `ConditionCheck`, which changes nothing. */
  readonly checked?: boolean;
  readonly refusal?: { readonly shown?: Item | undefined };
}

export class MemoryDynamo {
  readonly #tables = new Map<string, Table>();
  /** Called after each commit with everything it changed. */
  onCommit: (changes: readonly Change[]) => void = () => {};
  /** The meter of the current request, if it asks for its consumed capacity. */
  #meter: Meter | undefined;

  constructor(shapes: Readonly<Record<string, TableShape>>) {
    for (const [name, shape] of Object.entries(shapes)) this.addTable(name, shape);
  }

  addTable(name: string, shape: TableShape): void {
    this.#tables.set(name, new Table(shape));
  }

  table(name: string | undefined): Table {
    const table = this.#tables.get(name ?? '');
    if (!table) throw missing(`There is no table ${name}`);
    return table;
  }

  /** Executes the command at once and completely, or throws. */
  execute(command: Command, shortfall: Shortfall = {}): object {
    const input = command.input as { ReturnConsumedCapacity?: string };
    if ((input.ReturnConsumedCapacity ?? 'NONE') === 'NONE') return this.#answer(command, shortfall);
    const meter = new Meter();
    this.#meter = meter;
    try {
      const answer = this.#answer(command, shortfall);
      const isOfOne = 'TableName' in input;
      return { ...answer, ConsumedCapacity: isOfOne ? meter.consumed[0] : meter.consumed };
    } finally {
      this.#meter = undefined;
    }
  }

  #answer(command: Command, shortfall: Shortfall): object {
    const { input } = command;
    switch (command.constructor.name) {
      case 'GetCommand':
        return this.#get(input as GetCommandInput);
      case 'BatchGetCommand':
        return this.#batchGet(input as BatchGetCommandInput, shortfall);
      case 'TransactGetCommand':
        return this.#transactGet(input as TransactGetCommandInput);
      case 'QueryCommand':
        return this.#pageOf(input as QueryCommandInput, (table) => query(table, input as QueryCommandInput, shortfall));
      case 'ScanCommand':
        return this.#pageOf(input as ScanCommandInput, (table) => scan(table, input as ScanCommandInput));
      case 'PutCommand':
        return this.#write({ Put: input as PutCommandInput }, input);
      case 'UpdateCommand':
        return this.#write({ Update: input as UpdateCommandInput & { UpdateExpression: string } }, input);
      case 'DeleteCommand':
        return this.#write({ Delete: input as DeleteCommandInput }, input);
      case 'BatchWriteCommand':
        return this.#batchWrite(input as BatchWriteCommandInput, shortfall);
      case 'BatchExecuteStatementCommand':
        return this.#executeStatements(input as BatchExecuteStatementCommandInput, shortfall);
      case 'TransactWriteCommand':
        return this.#transactWrite(input as TransactWriteCommandInput);
      default:
        throw new Error(`${command.constructor.name} is not simulated`);
    }
  }

  #get(input: GetCommandInput, times = readCostFactor(input.ConsistentRead)): object {
    const { TableName = '', Key } = input;
    const projection = projectionOf(input);
    checkGiven(input, projection);
    const item = this.table(TableName).get(Key ?? {});
    this.#meter?.read(TableName, [item], times);
    return item ? { Item: projection.of(item) } : {};
  }

  #transactGet({ TransactItems = [] }: TransactGetCommandInput): object {
    if (TransactItems.length === 0 || TransactItems.length > 100) {
      throw invalid(`${TransactItems.length} keys in one TransactGetItems`);
    }
    const gets = TransactItems.map(({ Get }) => Get as GetCommandInput);
    distinct(gets.map(({ TableName = '', Key = {} }) => [TableName, ...this.table(TableName).keyOf(Key)]));
    const found = gets.map(({ TableName, Key = {} }) =>
      partOfTransaction(() => ({ item: this.table(TableName).get(Key) })),
    );
    cancelIfRefused(found);
    fitTransaction(found.map((one) => ('item' in one ? storedSize(one.item) : 0)));
    return { Responses: gets.map((get) => this.#get(get, 2)) };
  }

  #batchGet({ RequestItems = {} }: BatchGetCommandInput, { leavesOut }: Shortfall): Partial<BatchGetCommandOutput> {
    const all = Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys);
    if (all.length === 0 || all.length > 100) throw invalid(`${all.length} keys in one BatchGetItem`);
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, { Keys: Item[] }> = {};
    for (const [name, { Keys = [], ...options }] of Object.entries(RequestItems)) {
      const table = this.table(name);
      distinct(Keys.map((key) => table.keyOf(key)));
      const projection = projectionOf(options);
      checkGiven(options, projection);
      const found: Item[] = [];
      const left: Item[] = [];
      for (const key of Keys) {
        const item = table.get(key);
        if (leavesOut?.()) left.push(key);
        else {
          this.#meter?.read(name, [item], readCostFactor(options.ConsistentRead));
          if (item) found.push(projection.of(item));
        }
      }
      Responses[name] = found;
      if (left.length > 0) UnprocessedKeys[name] = { ...options, Keys: left };
    }
    return { Responses, UnprocessedKeys };
  }

  #pageOf(
    { TableName = '', ConsistentRead }: QueryCommandInput | ScanCommandInput,
    read: (table: Table) => Page,
  ): object {
    const { seen, answer } = read(this.table(TableName));
    this.#meter?.read(TableName, seen, readCostFactor(ConsistentRead));
    return answer;
  }

  #write(write: OneWrite, { ReturnValues = 'NONE' }: { readonly ReturnValues?: string }): object {
    if (!['NONE', 'ALL_OLD', ...(write.Update ? ['ALL_NEW'] : [])].includes(ReturnValues)) {
      throw new Error(`ReturnValues ${ReturnValues} is not simulated`);
    }
    const { change, refusal } = this.#decide(write);
    if (refusal) throw conditionFailed(refusal.shown);
    this.#commit([change]);
    if (ReturnValues === 'ALL_OLD' && change.before) return { Attributes: shown(change.before) };
    if (ReturnValues === 'ALL_NEW' && change.after) return { Attributes: shown(change.after) };
    return {};
  }

  #batchWrite(
    { RequestItems = {} }: BatchWriteCommandInput,
    { leavesOut }: Shortfall,
  ): Partial<BatchWriteCommandOutput> {
    const all = Object.values(RequestItems).flat();
    if (all.length === 0 || all.length > 25) throw invalid(`${all.length} writes in one BatchWriteItem`);
    const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
      requests.map((request) => {
        const { PutRequest, DeleteRequest } = request;
        const Put = PutRequest && { TableName, Item: PutRequest.Item };
        return { TableName, request, write: Put ? { Put } : { Delete: { TableName, Key: DeleteRequest?.Key } } };
      }),
    );
    distinct(writes.map(({ write }) => this.#itemKeyOf(write)));
    // One invalid item refuses the whole batch.
    const decided = writes.map((one) => ({ ...one, ...this.#decide(one.write) }));
    const UnprocessedItems: NonNullable<BatchWriteCommandOutput['UnprocessedItems']> = {};
    for (const { TableName, request, change } of decided) {
      if (leavesOut?.()) {
        UnprocessedItems[TableName] ??= [];
        UnprocessedItems[TableName].push(request);
      } else this.#commit([change]);
    }
    return { UnprocessedItems };
  }

  /** Executes the statements of `core/store/write-each.ts`: each succeeds, fails or is left unprocessed by itself. */
  #executeStatements({ Statements = [] }: BatchExecuteStatementCommandInput, { leavesOut }: Shortfall): object {
    if (Statements.length === 0 || Statements.length > 25)
      throw invalid(`${Statements.length} statements in one batch`);
    const planned = Statements.map(({ Statement = '', Parameters = [] }) =>
      planStatement(Statement, Parameters, (name) => this.table(name)),
    );
    distinct(planned.map(({ table, key }) => [table, ...this.table(table).keyOf(key)]));
    let named = 0;
    const Responses = planned.map(({ table, refusal, change }, i) => {
      if (leavesOut?.()) return { TableName: table, Error: { Code: 'ThrottlingError' } };
      named = i + 1;
      const isUnfit = change.after && this.table(table).defectOf(change.after) !== undefined;
      if (refusal || isUnfit) return { TableName: table, Error: { Code: refusal ?? 'ValidationError' } };
      this.#commit([change]);
      return { TableName: table };
    });
    // Omitted statements at the end have no entry at all.
    return { Responses: Responses.slice(0, named) };
  }

  #transactWrite({ TransactItems = [], ClientRequestToken }: TransactWriteCommandInput): object {
    if (ClientRequestToken !== undefined) throw new Error('ClientRequestToken is not simulated');
    if (TransactItems.length === 0 || TransactItems.length > 100) {
      throw invalid(`${TransactItems.length} writes in one TransactWriteItems`);
    }
    distinct(TransactItems.map((write) => this.#itemKeyOf(write)));
    const decided = TransactItems.map((write) => this.#decideInTransaction(write));
    cancelIfRefused(decided);
    fitTransaction(decided.map((one) => ('change' in one ? sizeOf(one.change) : 0)));
    for (const one of decided) {
      if ('change' in one && one.checked) this.#meter?.write(one.change.table, [one.change.before], 2);
    }
    this.#commit(
      decided.flatMap((one) => ('change' in one && !one.checked ? [one.change] : [])),
      2,
    );
    return {};
  }

  #decideInTransaction(write: OneWrite): Decision | RefusedPart {
    return partOfTransaction(() => {
      const decision = this.#decide(write);
      if (!decision.refusal) return decision;
      const Message = 'The conditional request failed';
      return { reason: { Code: 'ConditionalCheckFailed', Message, ...returnedItem(decision.refusal.shown) } };
    });
  }

  #itemKeyOf({ Put, Update, Delete, ConditionCheck }: OneWrite): readonly string[] {
    const { TableName } = Put ?? Update ?? Delete ?? ConditionCheck ?? { TableName: undefined };
    const item = Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {};
    return [TableName ?? '', ...this.table(TableName).keyOf(item)];
  }

  /** Returns the effect that the write would have now, without changing anything. */
  #decide(write: OneWrite): Decision {
    const { Put, Update, Delete, ConditionCheck } = write;
    const one: Conditional = Put ?? Update ?? Delete ?? ConditionCheck ?? { TableName: undefined };
    const key: Item = stored(Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {});
    const table = one.TableName ?? '';
    const before = Put ? this.table(table).storedFor(key) : this.table(table).get(key);
    const defect = Put && this.table(table).defectOf(key);
    if (defect !== undefined) throw invalid(defect);
    const update = Update?.UpdateExpression === undefined ? undefined : parseUpdate(Update.UpdateExpression);
    const condition = one.ConditionExpression === undefined ? undefined : parseCondition(one.ConditionExpression);
    checkGiven(one, condition, update);
    checkTargets(update?.targets ?? [], this.table(table).shape.key, one);
    if (condition && !condition.run(before ?? {}, one)) {
      const shows = one.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
      return { change: { table, before, after: before }, refusal: { shown: shows ? before : undefined } };
    }
    if (ConditionCheck) return { change: { table, before, after: before }, checked: true };
    if (Put) return { change: { table, before, after: key } };
    if (Delete) return { change: { table, before } };
    const after: Item = before ? { ...before } : { ...key };
    for (const change of update?.run ?? []) change(after, before ?? key, one);
    const change = { table, before, after: stored(after) };
    const defectAfter = this.table(table).defectOf(change.after);
    if (defectAfter !== undefined) throw inapplicable(defectAfter);
    return { change };
  }

  #measure(table: string, [before, after]: readonly (Item | undefined)[], times: number): void {
    if (!this.#meter) return;
    this.#meter.write(table, [before, after], times);
    for (const states of this.table(table).writesOfIndexes(before, after)) this.#meter.write(table, states, 1);
  }

  #commit(changes: readonly Change[], times = 1): void {
    for (const { table, before, after } of changes) {
      this.#measure(table, [before, after], times);
      if (after) this.table(table).put(after);
      else if (before) this.table(table).delete(before);
    }
    this.onCommit(changes);
  }
}

interface RefusedPart {
  readonly reason: CancellationReason;
}

/** Returns what one read or write of a transaction returns, or why it cancels the transaction. */
function partOfTransaction<T>(run: () => T): T | RefusedPart {
  try {
    return run();
  } catch (error) {
    if (isInapplicable(error)) return { reason: { Code: 'ValidationError', Message: error.message } };
    throw error;
  }
}

function cancelIfRefused(parts: readonly object[]): void {
  const reasons = parts.map((one) => ('reason' in one ? (one as RefusedPart).reason : { Code: 'None' }));
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
}

/** AWS limits the "aggregate size of the items in the transaction"; emulators count only what the request contains. */
function sizeOf({ before, after }: Change): number {
  return Math.max(storedSize(before), storedSize(after));
}

function fitTransaction(sizes: readonly number[]): void {
  if (sizes.reduce((sum, size) => sum + size) > maxTransactionBytes) {
    throw invalid('The items of the transaction are larger than 4 MB together');
  }
}

function distinct(keys: readonly (readonly string[])[]): void {
  if (new Set(keys.map((key) => key.join('\0'))).size < keys.length) {
    throw invalid('The request contains an item twice');
  }
}
