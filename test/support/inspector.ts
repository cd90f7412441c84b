/** Acts as a debugger: uses the inspector protocol with the worker threads of functions. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

type Json = Record<string, unknown>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
}

interface Frame {
  readonly callFrameId: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number };
}

/** A function that is paused at a `debugger` statement. */
export interface Paused {
  /** The source file, by the source map. */
  readonly source: string;
  readonly line: number;
  evaluate(expression: string): Promise<unknown>;
  resume(): Promise<void>;
}

export interface Debugger {
  readonly paused: Promise<Paused>;
  close(): Promise<void>;
}

export async function attachDebugger(inspectorUrl: string): Promise<Debugger> {
  const socket = new WebSocket(inspectorUrl);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`No debugger is let in at ${inspectorUrl}.`));
  });
  const answers = new Map<number, (result: Json) => void>();
  const { promise: paused, resolve: pause } = Promise.withResolvers<Paused>();
  /** The script URLs by session and script id, as call frames contain them. */
  const urls = new Map<string, string>();
  const sessions = new Set<string>();
  let ids = 0;

  /** Asks the process, or the thread of a session. */
  function ask(method: string, params: Json = {}, sessionId?: string): Promise<Json> {
    ids += 1;
    const id = ids;
    const message = JSON.stringify({ id, method, params });
    if (sessionId === undefined) socket.send(message);
    else void ask('NodeWorker.sendMessageToWorker', { sessionId, message });
    return new Promise((resolve) => answers.set(id, resolve));
  }

  function received({ id, method, params = {}, result = {} }: Message, sessionId = ''): void {
    if (id !== undefined) answers.get(id)?.(result);
    else if (method === 'NodeWorker.attachedToWorker') void attached(String(params.sessionId));
    else if (method === 'NodeWorker.detachedFromWorker') sessions.delete(String(params.sessionId));
    else if (method === 'NodeWorker.receivedMessageFromWorker') {
      received(JSON.parse(String(params.message)), String(params.sessionId));
    } else if (method === 'Debugger.scriptParsed') urls.set(`${sessionId} ${params.scriptId}`, String(params.url));
    else if (method === 'Debugger.paused') stopped(sessionId, (params.callFrames as Frame[])[0]);
  }
  socket.onmessage = ({ data }) => received(JSON.parse(String(data)));

  async function attached(sessionId: string): Promise<void> {
    sessions.add(sessionId);
    await ask('Debugger.enable', {}, sessionId);
    await ask('Runtime.runIfWaitingForDebugger', {}, sessionId);
  }

  function stopped(sessionId: string, frame: Frame | undefined): void {
    const resume = async () => {
      await ask('Debugger.resume', {}, sessionId);
    };
    const { callFrameId, location } = frame ?? {};
    const url = urls.get(`${sessionId} ${location?.scriptId}`) ?? '';
    // A thread that waits for a debugger first pauses in Node's own code.
    if (!location || !url.includes('/.build/')) return void resume();
    const entry = mapOf(url).findEntry(location.lineNumber, location.columnNumber);
    if (!('originalSource' in entry)) throw new Error(`${url} has no source at ${location.lineNumber}.`);
    pause({
      source: entry.originalSource,
      line: entry.originalLine + 1,
      evaluate: async (expression) => {
        const { result } = await ask('Debugger.evaluateOnCallFrame', { callFrameId, expression }, sessionId);
        return (result as Json).value;
      },
      resume,
    });
  }

  await ask('NodeWorker.enable', { waitForDebuggerOnStart: true });
  return {
    paused,
    // Threads do not notice a peer that disappears without closing.
    close: async () => {
      await Promise.all([...sessions].map((sessionId) => ask('Debugger.disable', {}, sessionId)));
      await ask('NodeWorker.disable');
      socket.close();
    },
  };
}

function mapOf(url: string): SourceMap {
  return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
}
