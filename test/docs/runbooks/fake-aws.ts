/** A fake AWS command line for the commands of runbooks. */
import { readFileSync } from 'node:fs';
import type { Program } from '../../../local/page-commands.ts';
import type { LocalRun } from '../../../local/start-local.ts';

/** The parameters of each operation: `name`, `name!` if required, and `+` for a plain argument. */
const operations: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('aws-operations.json', import.meta.url), 'utf8'),
);
/** The parameters of every command, and those for the number of results. */
const common = ['query', 'output', 'region', 'max-items', 'page-size'];
/** The services that a local run has. */
const targets: Readonly<Record<string, string>> = { sqs: 'AmazonSQS', dynamodb: 'DynamoDB_20120810' };

export interface Call {
  readonly service: string;
  readonly operation: string;
  /** The words after each flag. */
  readonly given: Readonly<Record<string, readonly string[]>>;
}

/**
 * Refuses unknown operations, unknown or missing parameters, and queries that AWS answers with `None`. Records its calls.
 * With a local run, calls of queues and tables go there.
 */
export function fakeAws(calls: Call[], system?: LocalRun): Program {
  return async ([service = '', operation = '', ...words]) => {
    const name = `${service} ${operation}`;
    const given: Record<string, string[]> = {};
    const plain: string[] = [];
    let latest = plain;
    for (const word of words) {
      if (word.startsWith('--')) given[word.slice(2)] = latest = [];
      else latest.push(word);
    }
    const call = { service, operation, given };
    calls.push(call);
    const known = operations[name];
    if (known === undefined) throw new Error(`aws ${name} is no operation that aws-operations.json knows`);
    const takes = known.split(' ');
    for (const one of Object.keys(given)) {
      if ([...common, ...takes].some((name) => name === one || name === `${one}!`)) continue;
      throw new Error(`aws ${name} takes no --${one}`);
    }
    const missing = takes.find((one) => one.endsWith('!') && !given[one.slice(0, -1)]);
    if (missing) throw new Error(`aws ${name} needs --${missing.slice(0, -1)}`);
    const plainCount = takes.filter((one) => one === '+').length;
    if (plain.length !== plainCount) throw new Error(`aws ${name} takes ${plainCount} plain arguments`);
    // In JMESPath, `[]` flattens a list of lists, so an index after it is applied to single fields and finds nothing.
    if (/\[\]\.?\[+-?\d/.test(given.query?.[0] ?? ''))
      throw new Error(`aws ${name} prints None for --query ${given.query}`);

    const answer = system && targets[service] ? await ask(call, system) : undefined;
    if (given.output?.[0] !== 'text') return JSON.stringify(answer ?? []);
    return String(answer ? read(answer, given.query?.[0]) : 'value');
  };
}

async function ask({ service, operation, given }: Call, system: LocalRun): Promise<unknown> {
  const pascal = (text: string) => text.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
  const inputOf = (name: string, words: readonly string[]) => {
    if (name.endsWith('-names')) return words;
    const [word = ''] = words;
    return /^(?:[[{]|\d+$)/.test(word) ? JSON.parse(word) : word.replace('booking-prod-', 'booking-dev-');
  };
  const input = Object.entries(given)
    .filter(([name]) => !common.includes(name))
    .map(([name, words]) => [pascal(name), inputOf(name, words)]);
  const response = await fetch(system.awsEndpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `${targets[service]}.${pascal(operation)}`,
      Authorization: `AWS4-HMAC-SHA256 Credential=${system.adminAccessKeyId}/20260101/eu-central-1/${service}/aws4_request, SignedHeaders=host, Signature=local`,
    },
    body: JSON.stringify(Object.fromEntries(input)),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text ? JSON.parse(text) : {};
}

function read(value: unknown, path = ''): unknown {
  const inside = (one: unknown, field: string) => (field ? (one as Record<string, unknown>)?.[field] : one);
  return path.split('.').reduce(inside, value);
}
