// @ts-check
/**
 * `node --import other-time.mjs?shiftMs=N`: in this process, its children and the threads of both it is another time.
 * Programs that are no Node keep the true one, and a client of AWS takes five minutes' difference in the `Date` of an answer
 * for a fault of its own clock, so that header is moved as well.
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
  construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
});

const { emit } = http.ClientRequest.prototype;
/** @param {unknown[]} args */
http.ClientRequest.prototype.emit = function (name, ...args) {
  const { headers } = /** @type {{ headers?: http.IncomingHttpHeaders }} */ (name === 'response' ? args[0] : {});
  if (headers?.date) headers.date = new Date(Date.parse(headers.date) + shiftMs).toUTCString();
  return emit.call(this, name, ...args);
};

/** A container of the local run is a thread with flags and an environment of its own. */
threads.Worker = class extends threads.Worker {
  /** @param {ConstructorParameters<typeof threads.Worker>} given */
  constructor(...[file, options = {}]) {
    const { execArgv } = options;
    super(file, { ...options, ...(execArgv && { execArgv: [...execArgv, '--import', import.meta.url] }) });
  }
};
syncBuiltinESMExports();
