/**
 * The logger. Events are never logged, and everything that is logged passes `redact`: no key value, signing secret,
 * Authorization value, body or stored item gets into a log (docs/rules.md#privacy).
 */
import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';

const redacted = '[redacted]';
const secretNames =
  /^(?:authorization|x-api-key|cookie|secret|password|token|body|rawbody|item|items|cancellationreasons|\$response)$/i;
const secretValues = /b[ks]_(?:live|test)_[0-9A-Za-z]+|whsec_[0-9A-Za-z+/=]+|\bBearer\s+[^\s"']+/gi;

/** The replacer of every log line: hides values at any depth that have a secret name or look like a secret. */
export function redact(name: string, value: unknown): unknown {
  if (secretNames.test(name)) return redacted;
  return typeof value === 'string' ? value.replace(secretValues, redacted) : value;
}

export const log = new Logger({ serviceName: 'booking', jsonReplacerFn: redact });

/** A handler whose log lines contain the id of their invocation. */
export function logged<Event, Result>(run: (event: Event, context: Context) => Result) {
  return (event: Event, context: Context): Result => {
    log.addContext(context);
    return run(event, context);
  };
}
