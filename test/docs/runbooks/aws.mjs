#!/usr/bin/env node
/**
 * A fake AWS command line for blocks of runbooks: refuses unknown operations, and unknown or missing parameters, and
 * records its calls. With `AWS_ENDPOINT_URL`, calls of queues and tables go to that endpoint.
 */
import { appendFileSync, readFileSync } from 'node:fs';

/** The parameters of each operation: `name`, `name!` if required, and `+` for a plain argument. */
const operations = JSON.parse(readFileSync(new URL('aws-operations.json', import.meta.url), 'utf8'));
/** The parameters of every command, and those for the number of results. */
const common = ['query', 'output', 'region', 'max-items', 'page-size'];
const [service, operation, ...rest] = process.argv.slice(2);
const name = `${service} ${operation}`;

const given = {};
const plain = [];
let flag;
for (const word of rest) {
  if (word.startsWith('--')) {
    flag = word.slice(2);
    given[flag] = [];
  } else if (flag) given[flag].push(word);
  else plain.push(word);
}
appendFileSync(process.env.AWS_CALLS, `${JSON.stringify({ service, operation, given })}\n`);

function refuse(why) {
  process.stderr.write(`aws ${name}: ${why}\n`);
  process.exit(252);
}

const known = operations[name];
if (known === undefined) refuse('is no operation that aws-operations.json knows');
const takes = known.split(' ');
for (const one of Object.keys(given)) {
  if (![...common, ...takes].some((name) => name === one || name === `${one}!`)) refuse(`takes no --${one}`);
}
for (const one of takes) if (one.endsWith('!') && !given[one.slice(0, -1)]) refuse(`needs --${one.slice(0, -1)}`);
const plainCount = takes.filter((one) => one === '+').length;
if (plain.length !== plainCount) refuse(`takes ${plainCount} plain arguments, not ${plain.length}`);

const answer = process.env.AWS_ENDPOINT_URL && targets()[service] ? await ask() : undefined;
const path = given.query?.[0];
if (given.output?.[0] === 'text') process.stdout.write(`${answer ? read(answer, path) : 'value'}\n`);
else process.stdout.write(`${JSON.stringify(answer ?? [])}\n`);

function targets() {
  return { sqs: 'AmazonSQS', dynamodb: 'DynamoDB_20120810' };
}

async function ask() {
  const pascal = (text) => text.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
  const isList = (one) => one.endsWith('-names');
  const inputOf = (one, words) => {
    if (isList(one)) return words;
    const [word = ''] = words;
    return /^(?:[[{]|\d+$)/.test(word) ? JSON.parse(word) : word.replace('booking-prod-', 'booking-dev-');
  };
  const input = Object.entries(given)
    .filter(([one]) => !common.includes(one))
    .map(([one, words]) => [pascal(one), inputOf(one, words)]);
  const response = await fetch(process.env.AWS_ENDPOINT_URL, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `${targets()[service]}.${pascal(operation)}`,
      Authorization: `AWS4-HMAC-SHA256 Credential=${process.env.AWS_ACCESS_KEY_ID}/20260101/eu-central-1/${service}/aws4_request, SignedHeaders=host, Signature=local`,
    },
    body: JSON.stringify(Object.fromEntries(input)),
  });
  const text = await response.text();
  if (!response.ok) refuse(text);
  return text ? JSON.parse(text) : {};
}

function read(value, path = '') {
  return path.split('.').reduce((one, field) => (field ? one?.[field] : one), value);
}
