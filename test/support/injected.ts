/** Bugs injected into a running system: chosen functions get a wrapper around their handler, the rest is as it is. */
import type { LocalOptions } from '../../local/start-local.ts';
import { temporaryFolder } from './synthesised.ts';
import { wrapHandlers } from './wrapped-handlers.ts';

/** For `withLocal({ mutateTemplates })`. The wrappers as `wrapHandlers` takes them. */
export function injected(wrappers: Readonly<Record<string, string>>): NonNullable<LocalOptions['mutateTemplates']> {
  return (templates) => wrapHandlers(templates, wrappers, temporaryFolder('injected'));
}
