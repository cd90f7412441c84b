/** First in, last out: gives the request its exchange, and the log its context for as long as the request lasts. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { RequestLimits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import type { Usage } from '../limits/counter.ts';
import { windowsAt } from '../limits/windows.ts';
import { log } from '../log.ts';
import type { Middleware } from './exchange.ts';

/** What the limit headers say while nobody is known: nothing is left, or, where nobody is asked for, everything. */
export interface Unknown {
  readonly limits: RequestLimits;
  readonly unknownCaller: 'nothing_left' | 'untouched';
}

/** The gateway's id of the request, which its caller is told and its access log shows. */
export function requestIdOf(event: APIGatewayProxyEventV2, { awsRequestId }: Pick<Context, 'awsRequestId'>): string {
  return event.requestContext?.requestId ?? awsRequestId;
}

export function requestContext(operation: string, unknown: Unknown): Middleware {
  return {
    before: ({ event, context }) => {
      const requestId = requestIdOf(event, context);
      event.exchange = { requestId, headers: lowerCased(event.headers), usage: initialUsage(unknown), origins: [] };
      log.resetKeys();
      log.appendKeys({ requestId, operation });
    },
    after: ({ event: { exchange } }) => {
      if ((exchange.key ?? exchange.owner) && !operation.startsWith('GET ')) log.info('Changed');
      log.resetKeys();
    },
    onError: () => log.resetKeys(),
  };
}

function initialUsage({ limits, unknownCaller }: Unknown): Usage {
  const { minuteEndsMs, dayEndsMs } = windowsAt(now());
  const untouched = unknownCaller === 'untouched';
  return {
    limits,
    remaining: untouched ? limits.perMinute : 0,
    resetsMs: minuteEndsMs,
    dayRemaining: untouched ? limits.perDay : 0,
    dayResetsMs: dayEndsMs,
  };
}

function lowerCased(headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
