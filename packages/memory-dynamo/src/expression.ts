/** Parses the expressions of DynamoDB: conditions, updates and key conditions. Each text is parsed once. */
import {
  begins,
  contains,
  existing,
  isOfType,
  nameOf,
  type Path,
  type Placeholders,
  read,
  sum,
  type Uses,
  write,
} from './operands.ts';
import { invalid } from './refusals.ts';
import { Tokens } from './tokens.ts';
import { equal, type Item, order } from './value.ts';

type Evaluate<T> = (item: Item, given: Placeholders) => T;

/** Changes a copy of the item. All operands read from `before`. */
type Change = (after: Item, before: Item, given: Placeholders) => void;

export interface Parsed<T> extends Uses {
  readonly run: T;
}

export interface KeyCondition {
  readonly partition: { readonly name: Evaluate<string>; readonly value: Evaluate<unknown> };
  readonly sort?: {
    readonly name: Evaluate<string>;
    readonly test: string;
    readonly operands: readonly Evaluate<unknown>[];
  };
}

export const comparisons: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  '=': (one, other) => one !== undefined && equal(one, other),
  '<>': (one, other) => !equal(one, other),
  '<': (one, other) => (order(one, other) ?? 0) < 0,
  '<=': (one, other) => (order(one, other) ?? 1) <= 0,
  '>': (one, other) => (order(one, other) ?? 0) > 0,
  '>=': (one, other) => (order(one, other) ?? -1) >= 0,
};

/** Functions of two operands. */
const functions: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  begins_with: begins,
  contains,
  attribute_type: isOfType,
};

function cached<T>(parse: (parser: Parser) => T): (text: string) => Parsed<T> {
  const known = new Map<string, Parsed<T>>();
  return (text) => {
    if (text === '') throw invalid('The expression can not be empty');
    if (Buffer.byteLength(text) > 4_096) throw invalid('Expression size has exceeded the maximum allowed size');
    let parsed = known.get(text);
    if (!parsed) {
      const parser = new Parser(text);
      const { uses, attributes, ranges, targets } = parser;
      parsed = { run: parse(parser), uses, attributes, ranges, targets };
      parser.end();
      known.set(text, parsed);
    }
    return parsed;
  };
}

export const parseCondition = cached<Evaluate<boolean>>((parser) => parser.condition());
export const parseUpdate = cached<readonly Change[]>((parser) => parser.update());
/** Parses names of top-level attributes only. */
export const parseProjection = cached<readonly Evaluate<string>[]>((parser) => parser.projection());
export const parseKeyCondition = cached<KeyCondition>((parser) => parser.keyCondition());

class Parser extends Tokens {
  readonly uses = new Set<string>();
  readonly attributes = new Set<string>();
  readonly ranges: [from: string, to: string][] = [];
  readonly targets: Path[] = [];

  condition(): Evaluate<boolean> {
    const all = [this.#and()];
    while (this.takes('OR')) all.push(this.#and());
    return all.length === 1 && all[0] ? all[0] : (item, given) => all.some((one) => one(item, given));
  }

  #and(): Evaluate<boolean> {
    const all = [this.#not()];
    while (this.takes('AND')) all.push(this.#not());
    return all.length === 1 && all[0] ? all[0] : (item, given) => all.every((one) => one(item, given));
  }

  #not(): Evaluate<boolean> {
    if (!this.takes('NOT')) return this.#primary();
    const one = this.#not();
    return (item, given) => !one(item, given);
  }

  #primary(): Evaluate<boolean> {
    if (this.takes('(')) {
      const inner = this.condition();
      this.take(')');
      return inner;
    }
    const test = this.#function();
    if (test) return test;
    const left = this.#operand();
    if (this.takes('BETWEEN')) {
      const [from, to] = this.#range(() => this.#operand());
      return (item, given) => {
        const value = left(item, given);
        return (order(value, from(item, given)) ?? -1) >= 0 && (order(value, to(item, given)) ?? 1) <= 0;
      };
    }
    if (this.takes('IN')) {
      this.take('(');
      const choices = this.list(() => this.#operand());
      this.take(')');
      return (item, given) => {
        const value = left(item, given);
        return value !== undefined && choices.some((choice) => equal(value, choice(item, given)));
      };
    }
    const compare = comparisons[this.next()];
    if (!compare) throw this.unexpected();
    const right = this.#operand();
    return (item, given) => compare(left(item, given), right(item, given));
  }

  /** Parses the two ends of a BETWEEN. */
  #range<T>(end: () => T): [from: T, to: T] {
    const first = this.ahead;
    const from = end();
    this.take('AND');
    const second = this.ahead;
    const to = end();
    if (first?.startsWith(':') && second?.startsWith(':')) this.ranges.push([first, second]);
    return [from, to];
  }

  #function(): Evaluate<boolean> | undefined {
    if (this.after !== '(') return undefined;
    const name = this.ahead;
    if (name === 'attribute_exists' || name === 'attribute_not_exists') {
      const path = this.#call(() => this.#path());
      const exists = name === 'attribute_exists';
      return (item, given) => (read(item, path, given) !== undefined) === exists;
    }
    const test = functions[name ?? ''];
    if (!test) return undefined;
    const operand = () => this.#operand();
    const [whole, part] = this.#pair(operand, operand);
    return (item, given) => test(whole(item, given), part(item, given));
  }

  #call<T>(inside: () => T): T {
    this.next();
    this.take('(');
    const result = inside();
    this.take(')');
    return result;
  }

  #pair<A, B>(first: () => A, second: () => B): [A, B] {
    return this.#call(() => {
      const one = first();
      this.take(',');
      return [one, second()];
    });
  }

  #operand(): Evaluate<unknown> {
    const name = this.ahead;
    if (name === 'if_not_exists' && this.after === '(') {
      const [path, otherwise] = this.#pair(
        () => this.#path(),
        () => this.#operand(),
      );
      return (item, given) => {
        const value = read(item, path, given);
        // Null is a value.
        return value === undefined ? otherwise(item, given) : value;
      };
    }
    if (name?.startsWith(':')) return this.#value();
    const path = this.#path();
    return (item, given) => read(item, path, given);
  }

  #value(): Evaluate<unknown> {
    const name = this.next();
    if (!name.startsWith(':')) throw this.unexpected();
    this.uses.add(name);
    return (_, { ExpressionAttributeValues }) => {
      const value = ExpressionAttributeValues?.[name];
      if (value === undefined) throw invalid(`An expression attribute value is not defined: ${name}`);
      return value;
    };
  }

  #path(): Path {
    const top = this.#name();
    this.attributes.add(top);
    const path = [top];
    while (this.takes('.')) path.push(this.#name());
    return path;
  }

  #name(): string {
    const name = this.next();
    if (!/^[A-Za-z_#]/.test(name)) throw this.unexpected();
    if (name.startsWith('#')) this.uses.add(name);
    return name;
  }

  update(): readonly Change[] {
    const changes: Change[] = [];
    while (this.ahead !== undefined) {
      const clause = this.next().toUpperCase();
      if (clause === 'SET') changes.push(...this.list(() => this.#set()));
      else if (clause === 'REMOVE') changes.push(...this.list(() => this.#remove()));
      else if (clause === 'ADD') changes.push(...this.list(() => this.#add()));
      else throw this.unexpected();
    }
    return changes;
  }

  /** Parses the path of an attribute that the update changes. */
  #target(): Path {
    const path = this.#path();
    this.targets.push(path);
    return path;
  }

  #set(): Change {
    const path = this.#target();
    this.take('=');
    const first = this.#operand();
    const second = this.takes('+') ? this.#operand() : undefined;
    return (after, before, given) => {
      const value = existing(first(before, given));
      write(after, path, given, second ? sum(value, existing(second(before, given))) : value);
    };
  }

  #remove(): Change {
    const path = this.#target();
    return (after, _, given) => write(after, path, given, undefined);
  }

  #add(): Change {
    const path = this.#target();
    const amount = this.#value();
    return (after, before, given) => {
      const old = read(before, path, given);
      write(after, path, given, sum(old === undefined ? 0 : old, amount(before, given)));
    };
  }

  keyCondition(): KeyCondition {
    const name = this.#keyName();
    this.take('=');
    const partition = { name, value: this.#value() };
    if (!this.takes('AND')) return { partition };
    if (this.ahead === 'begins_with') {
      const [sortName, prefix] = this.#pair(
        () => this.#keyName(),
        () => this.#value(),
      );
      return { partition, sort: { name: sortName, test: 'begins_with', operands: [prefix] } };
    }
    const sortName = this.#keyName();
    const test = this.next().toUpperCase();
    const operands = test === 'BETWEEN' ? this.#range(() => this.#value()) : [this.#value()];
    return { partition, sort: { name: sortName, test, operands } };
  }

  projection(): readonly Evaluate<string>[] {
    return this.list(() => this.#keyName());
  }

  #keyName(): Evaluate<string> {
    const name = this.#name();
    return (_, given) => nameOf(name, given);
  }
}
