/** Injects bugs into a running system by wrapping the handlers of chosen functions. */
import type { LocalOptions } from '../../local/start-local.ts';
import { temporaryFolder } from './synthesised.ts';
import { wrapHandlers } from './wrapped-handlers.ts';

/** An option for `withLocal({ mutateTemplates })`. It takes the same wrappers as `wrapHandlers`. */
export function injected(wrappers: Readonly<Record<string, string>>): NonNullable<LocalOptions['mutateTemplates']> {
  return (templates) => wrapHandlers(templates, wrappers, temporaryFolder('injected'));
}
