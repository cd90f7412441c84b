/** The booking API on one machine: created from its own templates, with the additions of a local run. */
import { type Cloud, type CloudOptions, startCloud } from '../packages/local-cloud/src/start-cloud.ts';
import { type LiveOptions, liveFunctions } from './live-functions.ts';
import { type LocalSite, localSite, pagesOf } from './local-site.ts';
import { type OwnerTokens, ownerTokens } from './owner-tokens.ts';
import { type LocalResources, localResources } from './resources.ts';
import { synthesise } from './synthesis.ts';

export interface LocalOptions extends Omit<CloudOptions, 'assembly' | 'environment' | 'withDistributions'> {
  /** Divides the waits between delivery attempts. The default is 1. */
  readonly timeScale?: number;
  /** An existing cloud assembly, for tests that start more than one run. By default the app is synthesised. */
  readonly assemblyDir?: string;
  /** Whether console, reference and documents are served on the same port. The default is no. */
  readonly withSite?: boolean;
  /** Whether functions run readable code of the sources. By default they run the bundles that are deployed. */
  readonly live?: LiveOptions | undefined;
}

export interface LocalRun extends Omit<Cloud, 'resources' | 'tokens'> {
  readonly resources: LocalResources;
  /** Tokens for the account API. Absent if the app names a foreign issuer. */
  readonly owners: OwnerTokens | undefined;
  readonly site: LocalSite | undefined;
}

/** Synthesises and starts the app. Throws an Error with one clear sentence if it cannot, and leaves nothing behind. */
export async function startLocal(allOptions: LocalOptions): Promise<LocalRun> {
  const { timeScale = 1, assemblyDir, withSite = false, live: liveOptions, ...options } = allOptions;
  const live = liveOptions && liveFunctions(liveOptions);
  const starting = startCloud({
    ...options,
    ...live?.options,
    withDistributions: withSite,
    ...(withSite && { contentOf: pagesOf(options.progress ?? (() => undefined)) }),
    assembly:
      assemblyDir ??
      ((folder, signal) =>
        synthesise(folder, { signal, progress: options.progress, code: live ? 'names' : 'bundles' })),
    // Receivers on this machine have loopback addresses, which no webhook may name in the account.
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
