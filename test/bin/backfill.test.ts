/** `npm run backfill` (docs/operating.md#deployments). What it fills is in `test/core/setup/backfill.test.ts`. */
import { expect, test, vi } from 'vitest';
import { gone, set, writeOne } from '../../core/store/write.ts';
import { records } from '../../core/table-keys.ts';
import { command } from '../support/command.ts';
import { onEmulator } from '../support/tables.ts';
import { useBench } from '../support/tenant.ts';

vi.setConfig({ testTimeout: 60_000 });
/** The command is a process of its own. */
const bench = useBench(onEmulator());

test('the command says what it filled, and the second time that nothing is left', async () => {
  const { key } = await bench.tenant();
  await writeOne(set('records', records.business(key.tenantId), { indexed: gone }));
  for (const businesses of [1, 0]) {
    const { code, stdout } = await command('bin/backfill.ts', []).ended;
    const said = { clients: 0, contacts: 0, payments: 0, bookings: 0, businesses };
    expect({ code, said: JSON.parse(stdout) }).toEqual({ code: 0, said });
  }
});
