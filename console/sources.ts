/** What a build of the console is made of, beside the packages, which the lock file tells. */
export const consoleSources: readonly string[] = ['console', 'package-lock.json'];
