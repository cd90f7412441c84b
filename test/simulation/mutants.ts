/**
 * Mutants of the code, with one change each. They replace code when modules are loaded, so a process has a mutant from
 * its start, and this file imports none of that code.
 */
import { registerHooks } from 'node:module';
import type { PresetName } from './presets.ts';

export interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The simulation that kills it, within 1 000 events of seed 1. Default: `crowded`. */
  readonly preset?: PresetName;
}

const expectations = 'const expected = { ...change.expected, ...(takes && { lastNumber: webhook.lastNumber }) };';

export const mutants = {
  /** An attempt updates its webhook even if the webhook has changed. */
  'webhook-unexpected': { file: 'core/deliveries/attempt/writes.ts', from: expectations, to: 'const expected = {};' },
  /** A record's number is used even if another request has used it. */
  'number-unexpected': {
    file: 'core/deliveries/attempt/writes.ts',
    from: expectations,
    to: 'const expected = change.expected;',
  },
  /** A success uses what was read of its webhook before the request. */
  'webhook-not-read-again': {
    file: 'core/deliveries/attempt/commit.ts',
    from: 'const sent = plain.filter(wasSent);',
    to: 'const sent: typeof plain = [];',
  },
  /** A write that failed is decided again on an old read. */
  'decided-on-old-reads': {
    file: 'core/deliveries/attempt/commit.ts',
    from: 'round === 1 ? undefined',
    to: 'round !== 1 ? undefined',
  },
  /** An attempt that turns out to be recorded sends no message for the next one. */
  'not-announced-again': {
    file: 'core/deliveries/attempt/commit.ts',
    from: 'return unchanged(nextAttempt(found.delivery, endedAt));',
    to: "return unchanged({ kind: 'stop' });",
  },
  /** A write without a response counts as done. */
  'silence-is-success': {
    file: 'core/store/write-each.ts',
    from: "if (!response) return 'failed';",
    to: "if (!response) return 'done';",
  },
  /** A wrong call of the platform to the resolver counts as a failure of the receiver. */
  'platform-bug-is-charged': {
    file: 'core/webhooks/sender/failures.ts',
    from: "if (stage === 'resolve' && isPlatformBug(code)) return platformBug;",
    to: '',
  },
  /** A response that is not HTTP has no error code of its own. */
  'no-protocol-error': {
    file: 'core/webhooks/sender/failures.ts',
    from: "code.startsWith('HPE_')",
    to: "code.endsWith('HPE_')",
    preset: 'outages',
  },
  /** A TLS error after the handshake has no error code of its own. */
  'no-tls-error': {
    file: 'core/webhooks/sender/failures.ts',
    from: "code.startsWith('ERR_SSL_')",
    to: "code.endsWith('ERR_SSL_')",
    preset: 'outages',
  },
} as const satisfies Record<string, Mutant>;

export type MutantName = keyof typeof mutants;

export function isMutant(name: string): name is MutantName {
  return name in mutants;
}

/** From now on that file is loaded with the mutant. Its import throws if the code has no such line. */
export function loadMutant(name: MutantName): void {
  const { file, from, to }: Mutant = mutants[name];
  const url = new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(loaded, context, next) {
      const module = next(loaded, context);
      if (loaded !== url) return module;
      const source = String(module.source);
      if (source.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
      return { ...module, source: source.replace(from, () => to) };
    },
  });
}
