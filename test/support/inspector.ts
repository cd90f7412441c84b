/** What a debugger does with a process of ours: it speaks the inspector protocol to the worker threads of functions. */
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

/** A function that stands still at a breakpoint. */
export interface Paused {
  /** Where, as its author knows it. */
  readonly source: string;
  readonly line: number;
  evaluate(expression: string): Promise<unknown>;
  resume(): Promise<void>;
}

export interface Debugger {
  /** Sets a breakpoint where a text begins in a source file, in every thread that has loaded it or will. */
  breakAt(source: string, text: string): void;
  readonly paused: Promise<Paused>;
  close(): Promise<void>;
}

export async function attachDebugger(inspectorUrl: string): Promise<Debugger> {
  const socket = new WebSocket(inspectorUrl);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`No debugger is let in at ${inspectorUrl}.`));
  });
  const answers = new Map<string, (result: Json) => void>();
  const wanted: { readonly source: string; readonly text: string }[] = [];
  const { promise: paused, resolve: pause } = Promise.withResolvers<Paused>();
  /** By session and script, as frames name them. */
  const urls = new Map<string, string>();
  const sessions = new Set<string>();
  let ids = 0;

  function ask(method: string, params: Json = {}): Promise<Json> {
    ids += 1;
    const id = ids;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => answers.set(`${id}`, resolve));
  }

  function askWorker(sessionId: string, method: string, params: Json = {}): Promise<Json> {
    ids += 1;
    const id = ids;
    void ask('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
    return new Promise((resolve) => answers.set(`${sessionId} ${id}`, resolve));
  }

  socket.onmessage = ({ data }) => {
    const { id, method, params = {}, result = {} } = JSON.parse(String(data)) as Message;
    if (id !== undefined) answers.get(`${id}`)?.(result);
    else if (method === 'NodeWorker.attachedToWorker') void attached(String(params.sessionId));
    else if (method === 'NodeWorker.detachedFromWorker') sessions.delete(String(params.sessionId));
    else if (method === 'NodeWorker.receivedMessageFromWorker') {
      fromWorker(String(params.sessionId), JSON.parse(String(params.message)) as Message);
    }
  };

  /** Each script waits until its breakpoints are set, so that none comes too late. */
  async function attached(sessionId: string): Promise<void> {
    sessions.add(sessionId);
    await askWorker(sessionId, 'Debugger.enable');
    const instrumentation = 'beforeScriptWithSourceMapExecution';
    await askWorker(sessionId, 'Debugger.setInstrumentationBreakpoint', { instrumentation });
    await askWorker(sessionId, 'Runtime.runIfWaitingForDebugger');
  }

  function fromWorker(sessionId: string, { id, method, params = {}, result = {} }: Message): void {
    if (id !== undefined) answers.get(`${sessionId} ${id}`)?.(result);
    else if (method === 'Debugger.scriptParsed') void placeBreakpoints(sessionId, params);
    else if (method === 'Debugger.paused') void stopped(sessionId, params);
  }

  async function placeBreakpoints(sessionId: string, { scriptId, url, sourceMapURL }: Json): Promise<void> {
    urls.set(`${sessionId} ${scriptId}`, String(url));
    if (!sourceMapURL || !String(url).startsWith('file:')) return;
    for (const { source, text } of wanted) {
      const place = generatedPlace(String(url), source, text);
      if (place) await askWorker(sessionId, 'Debugger.setBreakpoint', { location: { scriptId, ...place } });
    }
  }

  async function stopped(sessionId: string, { callFrames, reason, data }: Json): Promise<void> {
    if (reason === 'instrumentation') await placeBreakpoints(sessionId, data as Json);
    const [frame] = callFrames as {
      readonly callFrameId: string;
      readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number };
    }[];
    const { scriptId, lineNumber = 0, columnNumber = 0 } = frame?.location ?? {};
    const url = urls.get(`${sessionId} ${scriptId}`) ?? '';
    const resume = async () => {
      await askWorker(sessionId, 'Debugger.resume');
    };
    // A thread that waited for us stops once at its beginning, in code of Node.
    if (reason === 'instrumentation' || !frame || !url.includes('/.build/')) return resume();
    const { originalSource, originalLine } = entryAt(mapOf(url), lineNumber, columnNumber) ?? {};
    pause({
      source: String(originalSource),
      line: Number(originalLine) + 1,
      evaluate: async (expression) => {
        const { callFrameId } = frame;
        const { result } = await askWorker(sessionId, 'Debugger.evaluateOnCallFrame', { callFrameId, expression });
        return (result as Json).value;
      },
      resume,
    });
  }

  await ask('NodeWorker.enable', { waitForDebuggerOnStart: true });
  return {
    breakAt: (source, text) => void wanted.push({ source, text }),
    paused,
    // Threads do not notice when a peer is gone without closing.
    close: async () => {
      await Promise.all([...sessions].map((sessionId) => askWorker(sessionId, 'Debugger.disable')));
      await ask('NodeWorker.disable');
      socket.close();
    },
  };
}

function mapOf(url: string): SourceMap {
  return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
}

type Entry = { readonly originalSource: string; readonly originalLine: number; readonly originalColumn: number };

function entryAt(map: SourceMap, line: number, column: number): Entry | undefined {
  const entry = map.findEntry(line, column);
  return 'originalSource' in entry ? (entry as Entry) : undefined;
}

/** The first place in a built file that was made of where the text begins in that source, or of what follows on its line. */
function generatedPlace(url: string, source: string, text: string) {
  const map = mapOf(url);
  const at = map.payload.sources.findIndex((one) => one.endsWith(source));
  const lines = map.payload.sourcesContent?.[at]?.split('\n') ?? [];
  const line = lines.findIndex((one) => one.includes(text));
  if (line < 0) return undefined;
  const column = lines[line]?.indexOf(text) ?? 0;
  for (const [lineNumber, built] of readFileSync(fileURLToPath(url), 'utf8').split('\n').entries()) {
    for (let columnNumber = 0; columnNumber < built.length; columnNumber++) {
      const entry = entryAt(map, lineNumber, columnNumber);
      const isThere = entry?.originalSource.endsWith(source) && entry.originalLine === line;
      if (isThere && entry && entry.originalColumn >= column) return { lineNumber, columnNumber };
    }
  }
  return undefined;
}
