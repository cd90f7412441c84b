/** The booking API on one machine: its own templates, created, with what only a local run adds to the functions. */
import { type Cloud, type CloudOptions, startCloud } from '../packages/local-cloud/src/start-cloud.ts';
import { type LiveOptions, liveFunctions } from './live-functions.ts';
import { type LocalSite, localSite, pagesOf } from './local-site.ts';
import { type OwnerTokens, ownerTokens } from './owner-tokens.ts';
import { type LocalResources, localResources } from './resources.ts';
import { synthesise } from './synthesis.ts';

export interface LocalOptions extends Omit<CloudOptions, 'assembly' | 'environment' | 'withDistributions'> {
  /** Divides the waits between delivery attempts. Default 1. */
  readonly timeScale?: number;
  /** A cloud assembly that was synthesised already, instead of a fresh one. For tests that start more than one run. */
  readonly assemblyDir?: string;
  /** Whether console, reference and documents answer on the same port. Default: no. */
  readonly withSite?: boolean;
  /** Functions run readable code of the sources, instead of the bundles that are deployed. Default: the bundles. */
  readonly live?: LiveOptions | undefined;
}

export interface LocalRun extends Omit<Cloud, 'resources' | 'tokens'> {
  readonly resources: LocalResources;
  /** Tokens for the account API. Absent if the app names a foreign issuer. */
  readonly owners: OwnerTokens | undefined;
  readonly site: LocalSite | undefined;
}

/** Synthesises the app and stands it up. Throws an Error with one clear sentence when it cannot; nothing is left then. */
export async function startLocal(given: LocalOptions = {}): Promise<LocalRun> {
  const { timeScale = 1, assemblyDir, withSite = false, live: asked, ...options } = given;
  const live = asked && liveFunctions(asked);
  const starting = startCloud({
    ...options,
    ...live?.options,
    withDistributions: withSite,
    ...(withSite && { contentOf: pagesOf(options.progress ?? (() => undefined)) }),
    assembly:
      assemblyDir ??
      ((folder, signal) =>
        synthesise(folder, { signal, progress: options.progress, code: live ? 'names' : 'bundles' })),
    // Receivers on this machine are on loopback, which no webhook may name in the account.
    environment: (baseUrl) => ({
      ALLOW_LOOPBACK_TARGETS: 'true',
      PAGES_ORIGIN: baseUrl,
      TIME_SCALE: String(timeScale),
      ...(process.env.REQUEST_TIMEOUT_MS && { REQUEST_TIMEOUT_MS: process.env.REQUEST_TIMEOUT_MS }),
      ...live?.environment,
    }),
  });
  const { tokens, resources, ...cloud } = await starting.catch(async (error) => {
    await live?.stop();
    throw error;
  });
  live?.serve(cloud);
  const stop = async () => {
    await cloud.stop();
    await live?.stop();
  };
  return {
    ...cloud,
    stop,
    resources: localResources(resources),
    owners: tokens && ownerTokens(tokens),
    site: localSite(cloud.buckets),
  };
}
