/** Builds the functions of a run from the sources during development (docs/debugging.md). */
import { basename, dirname, join } from 'node:path';
import { handlers, sourceFile } from '../lib/handlers.ts';
import { handlerNamedIn } from '../lib/named-code.ts';
import { projectFolder } from '../lib/project-folder.ts';
import type { Cloud } from '../packages/local-cloud/src/start-cloud.ts';
import { type Rebuilt, startLiveCode } from './live-code.ts';

export interface LiveOptions {
  /** Whether an edit takes effect immediately. */
  readonly watch: boolean;
  /** Whether a debugger may stop functions without a time limit. */
  readonly inspect: boolean;
  /** Receives a line about each edit. */
  readonly report: (words: string) => void;
}

/** The sources of a bundle, and those of the stacks. */
const watched = ['contract', 'core', 'functions', 'lib'];
const untilNextStart = /^(?:contract|lib)\//;

const debuggedSeconds = 3_600;
const namesShown = 3;

/** The code is built while emulators and stacks start. A build error is thrown where the code is first needed. */
export function liveFunctions({ watch, inspect, report }: LiveOptions) {
  const outputFolder = join(projectFolder, '.build', `live-${process.pid}`);
  const building = startLiveCode({
    projectFolder,
    entries: handlers.map(({ name }) => ({ name, file: sourceFile('functions', name) })),
    outputFolder,
  });
  building.catch(() => undefined);
  return {
    options: {
      codeFolder: async (asset: string) => {
        await building;
        return join(outputFolder, handlerNamedIn(asset));
      },
      timeoutSeconds: inspect ? debuggedSeconds : undefined,
    },
    environment: {
      NODE_OPTIONS: '--enable-source-maps',
      ...(inspect && { REQUEST_TIMEOUT_MS: String(debuggedSeconds * 1_000) }),
    },
    /** Starts to watch for edits, and to renew functions of this cloud. */
    serve(cloud: Pick<Cloud, 'renew'>): void {
      if (!watch) return;
      void building.then((code) =>
        code.watch(watched, (rebuilt, file) => {
          if (rebuilt.kind === 'built') cloud.renew((folder) => rebuilt.changed.has(nameOf(folder)));
          report(wordsOf(rebuilt, file));
        }),
      );
    },
    async stop(): Promise<void> {
      const code = await building.catch(() => undefined);
      await code?.stop();
    },
  };
}

/** Returns `api/create-webhook` for `…/api/create-webhook`. */
function nameOf(folder: string): string {
  return `${basename(dirname(folder))}/${basename(folder)}`;
}

function wordsOf(rebuilt: Rebuilt, file: string): string {
  if (rebuilt.kind === 'broken') return `${rebuilt.problems}\nThe functions stay as they were.`;
  const names = [...rebuilt.changed].sort();
  const what =
    names.length === 0
      ? 'no function has changed'
      : names.length <= namesShown
        ? `active in ${names.join(', ')}`
        : `active in ${names.length} functions`;
  const stacks = untilNextStart.test(file) ? ' Routes, permissions and queues are read at the next start.' : '';
  return `${file}: ${what}, after ${Math.round(rebuilt.ms)} ms.${stacks}`;
}
