/** `node test/crash/victim.ts JSON`: the local run that a crash test kills. When ready it prints one line of JSON. */
import type { Tenant } from '../../local/demo.ts';
import { startLocal } from '../../local/start-local.ts';
import { wrapHandlers } from '../support/wrapped-handlers.ts';

export interface VictimOptions {
  readonly dataDir: string;
  readonly assemblyDir: string;
  /** The number of API keys of a business to create. With 0 it exists from an earlier start. */
  readonly newKeys: number;
  /** Wrappers in the form for `wrapHandlers`. */
  readonly wrappers: Readonly<Record<string, string>>;
}

export interface VictimReady {
  readonly baseUrl: string;
  readonly tenant?: Tenant;
  readonly keys: readonly string[];
}

/**
 * Messages of a killed function return after the visibility timeout, six minutes in the account. Here it is longer than
 * any batch takes, and short enough to wait for.
 */
const visibilitySeconds = 4;

async function run({ dataDir, assemblyDir, newKeys, wrappers }: VictimOptions): Promise<void> {
  const local = await startLocal({
    port: 0,
    dataDir,
    assemblyDir,
    workersPerFunction: 1,
    visibilitySeconds,
    mutateTemplates: (templates) => wrapHandlers(templates, wrappers, `${dataDir}-code`),
  });
  const ready: VictimReady = { baseUrl: local.baseUrl, ...(newKeys > 0 ? await seeded() : { keys: [] }) };
  process.stdout.write(`${JSON.stringify(ready)}\n`);

  async function seeded() {
    // The SDK takes a fifth of a start, and later starts do not need it.
    const { adminOf } = await import('../../local/admin.ts');
    const { createBusiness, createKey } = await import('../../local/seed.ts');
    const admin = adminOf(local);
    const tenant = await createBusiness(admin);
    const keys: string[] = [];
    while (keys.length < newKeys) keys.push((await createKey(admin, { tenantId: tenant.business.id })).value);
    admin.db.destroy();
    return { tenant, keys };
  }
}

process.stdin.once('end', () => process.exit(1)).resume();
await run(JSON.parse(process.argv[2] ?? '{}'));
