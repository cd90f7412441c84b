#!/usr/bin/env node
/** A small webhook receiver that verifies signatures and prints what arrives. */
import { text } from 'node:stream/consumers';
import { openReceiver, type ReceivedDelivery } from '../local/webhook-receiver.ts';
import { numberFlag, portError, readFlags, runCommand, stopSignal, UsageError } from './command-line.ts';

const help = `Receives webhooks, verifies their signatures and prints them. With --to it reads the events of the sandbox and
forwards them instead: npm run listen -- --to http://localhost:3000/hooks --help

  npm run listen -- [flags]

  --secret SECRET   the signing secret of the webhook. "-" reads it, or the whole response of POST /webhooks, from stdin.
                    Without it, signatures are not checked.
  --port N          the port on 127.0.0.1, default 9000; 0 chooses a free port
  --fail N          responds with 500 to the first N requests, so that you see retries
  --json            prints one line of JSON for each request, for scripts
  --help

The receiver responds with 200, or with 401 if the signature is invalid. "attempt" is how often a delivery has arrived
since the receiver started. Ctrl-C stops it.`;

async function receiver(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    secret: { type: 'string' },
    port: { type: 'string', default: '9000' },
    fail: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  });
  const port = numberFlag('--port', flags.port, { min: 0, max: 65_535 });
  const fail = numberFlag('--fail', flags.fail, { min: 0, max: 1_000_000 });
  if (flags.secret === '') throw new UsageError('--secret must not be empty.');

  // A reader that closes the pipe early, such as `head`, ends the receiver without an error; a full disk sets an exit code.
  process.stdout.on('error', () => process.exit());
  const stopped = stopSignal();
  const secret = flags.secret === '-' ? secretIn(await text(process.stdin)) : flags.secret;
  if (secret !== undefined && !secret.startsWith('whsec_'))
    throw new UsageError('--secret must be the secret of the webhook, whsec_….');
  const show = flags.json ? asJson : asText;
  const opened = await openReceiver({
    port,
    secret,
    fail,
    onDelivery: (delivery) => console.log(show(delivery)),
  }).catch((error) => {
    throw portError(error, port);
  });
  const checks = secret === undefined ? 'Signatures are not checked: no --secret.' : 'Signatures are checked.';
  const failing = fail > 0 ? ` The first ${fail} answers are 500.` : '';
  console.error(`Listening on ${opened.url}/hooks. ${checks}${failing} Ctrl-C stops.`);
  await stopped;
  await opened.close();
  process.exit(0);
}

/** Returns the secret itself, or that in the response to `POST /webhooks`; an error in it is returned unchanged. */
function secretIn(input: string): string {
  const trimmed = input.trim();
  if (trimmed === '') throw new Error('No secret arrived on stdin: did the command before the | fail?');
  if (!trimmed.startsWith('{')) return trimmed;
  const answer = parsed(trimmed) as { secret?: unknown; message?: unknown } | undefined;
  if (typeof answer?.secret === 'string') return answer.secret;
  throw new Error(`The response on stdin contains no secret: ${answer?.message ?? trimmed}`);
}

function asJson(delivery: ReceivedDelivery): string {
  const { event, deliveryId, attempt, signature, standardWebhooks, responseStatus, receivedAt, rawBody } = delivery;
  const body = parsed(rawBody.toString()) ?? rawBody.toString();
  return JSON.stringify({ event, deliveryId, attempt, signature, standardWebhooks, responseStatus, receivedAt, body });
}

function asText(delivery: ReceivedDelivery): string {
  const { event, deliveryId, attempt, responseStatus, receivedAt, rawBody } = delivery;
  const time = new Date(receivedAt).toISOString().slice(11);
  const head = [
    time,
    printable(event) || '(no X-Webhook-Event)',
    printable(deliveryId) || '(no X-Webhook-Delivery)',
    `attempt ${attempt}`,
    verdict(delivery),
    `answered ${responseStatus}`,
  ].join('  ');
  const body = parsed(rawBody.toString());
  if (body === undefined) return `${head}\n${printable(rawBody.toString())}`;
  return `${head}\n${JSON.stringify(body, undefined, process.stdout.isTTY ? 2 : undefined)}`;
}

function verdict({ signature, standardWebhooks }: ReceivedDelivery): string {
  if (signature === 'unchecked') return 'signature not checked';
  if (signature === 'invalid') return 'signature INVALID';
  if (standardWebhooks === 'invalid') return 'signature valid, Standard Webhooks signature INVALID';
  return 'signature valid';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Bytes of a sender must not control the terminal. */
function printable(words: string): string {
  return words.replace(/\p{Cc}/gu, ' ');
}

await runCommand(receiver);
