// @ts-check
/**
 * `node --import shifted-clock.mjs?shiftMs=N` shifts the clock of this process, its children and the threads of both.
 * Other programs keep the real time. An AWS client that sees a `Date` header five minutes away from its own time
 * assumes that its clock is wrong. So this header is shifted, too.
 */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const shiftMs = Number(new URL(import.meta.url).searchParams.get('shiftMs'));
const trueNow = Date.now;
const now = () => trueNow() + shiftMs;

Date.now = now;
globalThis.Date = new Proxy(Date, {
  apply: () => new Date().toString(),
  construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [now()] : given, target),
});

const { emit } = http.ClientRequest.prototype;
/** @param {unknown[]} args */
http.ClientRequest.prototype.emit = function (name, ...args) {
  const { headers } = /** @type {{ headers?: http.IncomingHttpHeaders }} */ (name === 'response' ? args[0] : {});
  if (headers?.date) headers.date = new Date(Date.parse(headers.date) + shiftMs).toUTCString();
  return emit.call(this, name, ...args);
};

/** Containers of the local run are threads with their own flags and environment. */
threads.Worker = class extends threads.Worker {
  /** @param {ConstructorParameters<typeof threads.Worker>} given */
  constructor(...[file, options = {}]) {
    const { execArgv } = options;
    super(file, { ...options, ...(execArgv && { execArgv: [...execArgv, '--import', import.meta.url] }) });
  }
};
syncBuiltinESMExports();
