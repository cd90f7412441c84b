/** Runs one benchmark in its own process: its name and size are the arguments, its rows are sent to the parent. */
import { benches } from './benches.ts';
import type { Size } from './turns.ts';

// The parent was ended, so nobody waits for the rows.
process.once('disconnect', () => process.exit(1));

const [name = '', size = 'full'] = process.argv.slice(2);
const module = await benches[name]?.load();
const rows = await module?.bench(size as Size);
process.send?.(rows, () => process.exit(0));
