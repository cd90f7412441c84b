/**
 * Bugs planted into the code itself: one place each, as a slip of the pen would change it. They work where modules are
 * loaded, so a process has one from its beginning: `npm run simulate -- --bug NAME`.
 */
import { registerHooks } from 'node:module';
import type { WorldName } from './scenarios.ts';

export interface CodeChange {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where it shows, how many events it takes at most, and of which seed if not of 1. */
  readonly world: WorldName;
  readonly events: number;
  readonly seed?: number;
}

const expectations = 'const expected = { ...trouble.expected, ...(takes && { lastNumber: webhook.lastNumber }) };';

export const codeChanges = {
  /** What an attempt makes of its webhook is written whatever the webhook is by now. */
  'webhook-unexpected': {
    file: 'core/deliveries/attempt/writes.ts',
    from: expectations,
    to: 'const expected = {};',
    world: 'crowded',
    events: 1_000,
  },
  /** A record's number is taken whoever took it meanwhile. */
  'number-unexpected': {
    file: 'core/deliveries/attempt/writes.ts',
    from: expectations,
    to: 'const expected = trouble.expected;',
    world: 'crowded',
    events: 1_000,
  },
  /** A success trusts what was read of its webhook before the request. */
  'webhook-not-read-again': {
    file: 'core/deliveries/attempt/commit.ts',
    from: 'const resting = plain.filter(({ change }) => wasMade(change));',
    to: 'const resting: typeof plain = [];',
    world: 'crowded',
    events: 1_000,
  },
  /** What could not be recorded is decided again on what was read before. */
  'decided-on-old-reads': {
    file: 'core/deliveries/attempt/commit.ts',
    from: 'round === 1 ? undefined',
    to: 'round !== 1 ? undefined',
    world: 'crowded',
    events: 1_000,
  },
  /** An attempt that turns out to be on record has no next one. */
  'not-announced-again': {
    file: 'core/deliveries/attempt/commit.ts',
    from: 'return { attempt, next: announced(found.delivery, endedAt) };',
    to: "return { attempt, next: { kind: 'stop' } };",
    world: 'crowded',
    events: 1_000,
  },
  /** What an answer says nothing of is done. */
  'silence-is-success': {
    file: 'core/store/write-each.ts',
    from: "if (!response) return 'failed';",
    to: "if (!response) return 'done';",
    world: 'crowded',
    events: 1_000,
  },
  /** A wrong call of ours to the resolver is the receiver's fault. */
  'our-bug-is-charged': {
    file: 'core/webhooks/sender/failures.ts',
    from: "if (stage === 'resolve' && isOurBug(code)) return ourBug;",
    to: '',
    world: 'crowded',
    events: 1_000,
  },
  /** What is no HTTP has no name of its own. */
  'no-protocol-error': {
    file: 'core/webhooks/sender/failures.ts',
    from: "code.startsWith('HPE_')",
    to: "code.endsWith('HPE_')",
    world: 'outages',
    events: 1_000,
  },
  /** Nor has what TLS says later. */
  'no-tls-error': {
    file: 'core/webhooks/sender/failures.ts',
    from: "code.startsWith('ERR_SSL_')",
    to: "code.endsWith('ERR_SSL_')",
    world: 'outages',
    events: 1_000,
  },
} as const satisfies Record<string, CodeChange>;

export type CodeChangeName = keyof typeof codeChanges;

export function isCodeChange(name: string): name is CodeChangeName {
  return name in codeChanges;
}

/** From here on that file is loaded with the change in it. Throws when it is loaded if the code has no such place. */
export function changeCode(name: CodeChangeName): void {
  const { file, from, to }: CodeChange = codeChanges[name];
  const url = new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(loaded, context, next) {
      const module = next(loaded, context);
      if (loaded !== url) return module;
      const source = String(module.source);
      if (source.split(from).length !== 2) throw new Error(`${file} has not one place that says: ${from}`);
      return { ...module, source: source.replace(from, () => to) };
    },
  });
}
