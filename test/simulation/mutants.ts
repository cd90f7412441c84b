/**
 * Mutants of the code, with one change each. They replace code when modules are loaded, so a process has a mutant from
 * its start, and this file imports none of that code.
 */
import { registerHooks } from 'node:module';
import type { PresetName } from './presets.ts';

export interface Mutant {
  /** What goes wrong, as a clause. */
  readonly bug: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The simulation that kills it, within 1 000 events of seed 1. Default: `crowded`. */
  readonly preset?: PresetName;
}

const expectations = 'const expected = { ...change.expected, ...(takes && { lastNumber: webhook.lastNumber }) };';

export const mutants = {
  'webhook-unexpected': {
    bug: 'an attempt updates its webhook even if the webhook has changed',
    file: 'core/deliveries/attempt/writes.ts',
    from: expectations,
    to: 'const expected = {};',
  },
  'number-unexpected': {
    bug: 'a delivery number is used even if another request has used it',
    file: 'core/deliveries/attempt/writes.ts',
    from: expectations,
    to: 'const expected = change.expected;',
  },
  'webhook-not-read-again': {
    bug: 'a success is stored with an old state of its webhook',
    file: 'core/deliveries/attempt/commit.ts',
    from: 'if (!wasSent(change)) return true;',
    to: 'return true;',
  },
  'decided-on-old-reads': {
    bug: 'a failed write is retried with data that was read before the failure',
    file: 'core/deliveries/attempt/commit.ts',
    from: 'round === 1 ? undefined',
    to: 'round !== 1 ? undefined',
  },
  'not-announced-again': {
    bug: 'for an attempt that is already recorded, no queue message for the next attempt is sent',
    file: 'core/deliveries/attempt/commit.ts',
    from: 'return unchanged(nextAttempt(found.delivery, endedAt));',
    to: "return unchanged({ kind: 'stop' });",
  },
  'silence-is-success': {
    bug: 'a write without a response counts as done',
    file: 'core/store/write-each.ts',
    from: "if (!response) return 'failed';",
    to: "if (!response) return 'done';",
  },
  'platform-bug-is-charged': {
    bug: 'a programming error in the sending code counts as a failure of the receiver',
    file: 'core/webhooks/sender/failures.ts',
    from: "if (stage === 'resolve' && isPlatformBug(code)) return platformBug;",
    to: '',
  },
  'no-protocol-error': {
    bug: 'a response that is not HTTP has no error code of its own',
    file: 'core/webhooks/sender/failures.ts',
    from: "code.startsWith('HPE_')",
    to: "code.endsWith('HPE_')",
    preset: 'outages',
  },
  'no-tls-error': {
    bug: 'a TLS error after the handshake has no error code of its own',
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
