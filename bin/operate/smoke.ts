#!/usr/bin/env node
/** `npm run operate -- smoke` checks a deployed API from outside, for a pipeline or a person. */
import { reasonOf } from '../../client/src/attempts.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { rateLimitHeaders, requestIdHeader } from '../../contract/headers.ts';
import { integrationPrefix } from '../../contract/prefixes.ts';
import { readFlags, runCommand, UsageError } from '../command-line.ts';

const help = `Checks a deployed integration API from outside, with requests that change nothing.

  npm run operate -- smoke --api URL [--key KEY]

  --api URL    the address of the API: https://api.example.com, or http://127.0.0.1:8787
  --key KEY    an API key with services:read and slots:read, by default the variable BOOKING_API_KEY
  --help

Prints one line for each check. The exit code is 1 if a check fails.`;

const timeoutMs = 15_000;
const dayMs = 86_400_000;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly data?: readonly { readonly id: number }[]; readonly code?: string };
}

/** Returns what is wrong with a response, or undefined. */
type Verdict = (answer: Answer) => string | undefined;

interface Check {
  readonly title: string;
  readonly method?: 'GET' | 'OPTIONS';
  readonly path: string;
  readonly key?: string;
  readonly wrong: Verdict;
}

async function smoke(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    api: { type: 'string' },
    key: { type: 'string', default: process.env.BOOKING_API_KEY ?? '' },
  });
  if (!flags.api || !URL.canParse(flags.api)) throw new UsageError('--api must be a URL.');
  if (flags.key === '') throw new UsageError('Give a key with --key or in BOOKING_API_KEY.');
  const { key } = flags;
  const base = `${flags.api.replace(/\/+$/, '').replace(new RegExp(`${integrationPrefix}$`), '')}${integrationPrefix}`;

  let failed = 0;
  const look = async (check: Check): Promise<Answer | undefined> => {
    const began = performance.now();
    const { answer, problem } = await tried(base, check);
    const ms = Math.round(performance.now() - began);
    if (problem !== undefined) failed += 1;
    console.log(`${problem === undefined ? '✓' : '✗'} ${check.title} (${ms} ms)${problem ? `: ${problem}` : ''}`);
    return answer;
  };

  await look({ title: 'a request without a key is refused', path: '/services', wrong: refused('api_key_missing') });
  await look({
    title: 'a request with an unknown key is refused',
    path: '/services',
    key: `bk_live_${'0'.repeat(36)}`,
    wrong: refused('api_key_invalid'),
  });
  await look({ title: 'a preflight request is answered', method: 'OPTIONS', path: '/slots', wrong: status(204) });
  await look({ title: 'an unknown path is answered with 404', path: '/smoke', key, wrong: refused('route_not_found') });
  const services = await look({
    title: 'services are listed and calls are counted',
    path: '/services',
    key,
    wrong: counted,
  });
  const service = services?.body.data?.[0]?.id;
  if (service !== undefined) {
    const [from, to] = [Date.now(), Date.now() + 7 * dayMs].map((at) => new Date(at).toISOString().slice(0, 10));
    const path = `/slots?serviceId=${service}&from=${from}&to=${to}`;
    await look({ title: 'free times of a week are listed', path, key, wrong: status(200) });
  }
  if (failed > 0) throw new Error(`${failed} of the checks failed.`);
}

async function tried(
  base: string,
  { method = 'GET', path, key = '', wrong }: Check,
): Promise<{ answer?: Answer; problem?: string | undefined }> {
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      redirect: 'manual',
      headers: key === '' ? {} : { 'X-API-Key': key },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, body: bodyOf(text) };
    return { answer, problem: wrong(answer) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

/** A proxy may respond with a page instead of JSON: then the status is reported. */
function bodyOf(text: string): Answer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function status(expected: number): Verdict {
  return ({ status: found, body, headers }) =>
    found === expected
      ? undefined
      : `${[found, body.code, headers.get(requestIdHeader)].filter(Boolean).join(' ')} instead of ${expected}`;
}

function refused(code: ErrorCode): Verdict {
  const expected = status(errors[code].status);
  return (answer) => expected(answer) ?? (answer.body.code === code ? undefined : `not ${code}`);
}

const counted: Verdict = (answer) => {
  const missing = rateLimitHeaders.filter((name) => !answer.headers.has(name));
  return status(200)(answer) ?? (missing.length === 0 ? undefined : `without ${missing.join(', ')}`);
};

await runCommand(smoke);
