/**
 * `booking listen` forwards the events of a test key to a program on this machine. It needs Node.js, unlike the other
 * modules.
 */
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../attempts.ts';
import { type BookingClient, createClient } from '../create-client.ts';
import { ensureWebhook } from '../ensure-webhook.ts';
import { ApiError } from '../errors.ts';
import type { FeedEvent } from '../feed.ts';
import type { CreateWebhookInput } from '../generated/operations.ts';
import { sleep } from '../timeout.ts';
import { WebhookVerificationError } from '../verify-webhook.ts';

type Events = CreateWebhookInput['events'];

export const listenHelp = `Forwards the events of the sandbox to a program on this machine. No public address is needed.

  booking listen --to http://localhost:3000/hooks [flags]

  --to URL        where each message is posted to, with its headers and its body
  --url URL       the API, its prefix included: https://…/v1/integration; or set BOOKING_API_URL
  --key KEY       a test key, bk_test_…, with webhooks:manage; or set BOOKING_API_KEY
  --events LIST   event names, separated by commas. Default: all that the key may receive
  --state FOLDER  where the secret and the last number are stored. Default: .booking in the home folder
  --help

Reads the feed of a webhook that is named after this machine, and prints the status of each response. Posts a message
again until the program responds. After a restart, continues where it stopped. Ctrl-C stops it.`;

interface State {
  readonly secret: string;
  /** The number of the last message that was forwarded. */
  readonly position: number;
}

/** Milliseconds between attempts to reach the program. */
const pauseMs = 1_000;
/**
 * Milliseconds. A program may refuse a signature that is older than five minutes, so a message is read again before.
 * It is not read again for each attempt, because each request counts against the limits of the key.
 */
const ageMaxMs = 240_000;

export async function listen(args: readonly string[], print: (line: string) => void, env = process.env) {
  const flag = { type: 'string' } as const;
  const options = { to: flag, url: flag, key: flag, events: flag, state: flag, help: { type: 'boolean' } } as const;
  const { values } = readFlags(() => parseArgs({ args: [...args], options }));
  if (values.help) return print(listenHelp);
  const { to, url: baseUrl = env.BOOKING_API_URL, key: apiKey = env.BOOKING_API_KEY } = values;
  if (!isHttp(to)) throw new Error('--to must be the address of a program, such as http://localhost:3000/hooks.');
  if (!isHttp(baseUrl)) throw new Error('--url must be the address of the API, such as https://…/v1/integration.');
  if (!apiKey?.startsWith('bk_test_')) throw new Error('--key must be a test key, bk_test_…');

  /** When the last page was read, by the clock of this machine: the timestamps of signatures use the API's clock. */
  let readAt = 0;
  const isOld = () => Date.now() - readAt > ageMaxMs;
  const fetchAloud: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    readAt = Date.now();
    const seconds = answer.headers.get('retry-after') ?? 1;
    if (answer.status === 429) print(`The rate limit of the key is used up. Waiting ${seconds} s.`);
    return answer;
  };
  const api = createClient({ baseUrl, apiKey, fetch: fetchAloud });
  if (values.state === '') throw new Error('--state must name a folder.');
  const folder = values.state ?? join(homedir(), '.booking');
  await prepareFolder(resolve(folder)).catch(({ code }) => {
    throw new Error(`The folder ${folder} cannot be used (${code}): choose another one with --state.`);
  });
  const named = values.events?.split(',') as Events | undefined;
  const updateWebhook: typeof api.updateWebhook = async (...change) => {
    const changed = await api.updateWebhook(...change);
    print('The webhook was changed, also for another `listen` with this key on this machine.');
    return changed;
  };
  const { webhook, secret } = await webhookOf({ ...api, updateWebhook }, named);
  const file = join(folder, `webhook-${webhook.id}.json`);
  let state = await restored(file);
  if (secret !== undefined) state = { secret, position: 0 };
  // The secret was shown to another machine of this name, or its file is missing or incomplete.
  else
    state ??= {
      secret: (await api.rotateWebhookSecret({ id: webhook.id })).secret,
      position: webhook.feed?.readThrough ?? 0,
    };
  await keep(file, state);
  print(`Signing secret: ${state.secret}`);
  print(`Forwarding ${webhook.events.length} events of webhook ${webhook.id} after number ${state.position} to ${to}`);

  for (let isLost = false; ; ) {
    try {
      for await (const message of api.feed(webhook.id, { after: state.position, secret: state.secret })) {
        // The program may have taken long for the earlier messages.
        if (isOld()) break;
        let status = await forwarded(to, message);
        if (typeof status === 'string' && !isLost) print(`Nothing answers at ${to}: ${status}. Waiting.`);
        while (typeof status === 'string') {
          await sleep(pauseMs, undefined);
          if (isOld()) break;
          status = await forwarded(to, message);
        }
        isLost = typeof status === 'string';
        if (isLost) break;
        state = { ...state, position: message.number };
        await keep(file, state);
        const { event, id } = message.event;
        print(`${new Date().toISOString().slice(11)}  ${message.number}  ${event}  ${id}  answered ${status}`);
      }
    } catch (error) {
      if (error instanceof WebhookVerificationError && error.code === 'signature_mismatch') {
        throw new Error(`The secret of webhook ${webhook.id} was replaced. Delete ${file} and start again.`);
      }
      if (error instanceof WebhookVerificationError && error.code === 'timestamp_outside_tolerance') {
        throw new Error(
          "The clocks of this machine and of the API differ by more than five minutes: correct this machine's.",
        );
      }
      if (!(error instanceof ApiError && error.code === 'feed_expired')) throw error;
      const { oldest } = error.details;
      print(`Messages ${state.position + 1} to ${oldest - 1} are not kept any more and were missed.`);
      state = { ...state, position: oldest - 1 };
    }
    await sleep(pauseMs, undefined);
  }
}

const isHttp = (url = ''): url is string => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Shortens the error of Node.js for wrong flags to its first sentence. */
function readFlags<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const [sentence] = String((error as Error).message).split(/\.\s/);
    throw new Error(`${sentence?.replace(/\.$/, '')}. See --help.`);
  }
}

/** Returns the message of the error, with the problems that the API lists. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isInvalid = error instanceof ApiError && error.code === 'validation_failed';
  const problems = isInvalid ? error.details.map(({ path, message }) => `\n  ${path} ${message}`) : [];
  return error.message + problems.join('');
}

/**
 * Without given events, the webhook gets all events; if the key lacks a scope, it gets the events that need no scope.
 */
async function webhookOf(api: BookingClient, named: Events | undefined) {
  const { data } = await api.listEventTypes();
  const description = `listen on ${hostname()}`.slice(0, 255);
  const wanted = (events: Events) => ensureWebhook(api, { description, delivery: 'poll', events });
  const all = data.map(({ name }) => name);
  if (named) return wanted(named);
  return wanted(all).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'insufficient_scope')) throw error;
    return wanted(data.flatMap(({ name, scope }) => (scope === null ? name : [])));
  });
}

/** Returns the status of the program's response, or why there is none. */
async function forwarded(to: string, { headers, body }: FeedEvent): Promise<number | string> {
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Rejects if the folder cannot be created, is a file, or may not be written to. */
async function prepareFolder(path: string): Promise<void> {
  await makeFolder(path);
  // A file is refused because of the slash.
  await access(`${path}/`, constants.W_OK);
}

/** Creates one level at a time: the recursive call never ends in a folder that accepts none, such as `/proc`. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error) => {
    // Another run may have created it at the same time.
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Undefined if the file is missing or incomplete. */
async function restored(file: string): Promise<State | undefined> {
  try {
    const { secret, position } = JSON.parse(await readFile(file, 'utf8')) as Partial<State>;
    return secret === undefined || position === undefined ? undefined : { secret, position };
  } catch {
    return undefined;
  }
}

/** Writes the file atomically, so that it is complete even if the process is killed. */
async function keep(file: string, state: State): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
