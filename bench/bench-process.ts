/** Runs one benchmark in its own process: its name and size are the arguments, its rows are sent to the parent. */
import { benches } from './benches.ts';
import type { Size } from './turns.ts';

const [name = '', size = 'full'] = process.argv.slice(2);
const module = await benches[name]?.load();
const rows = await module?.bench(size as Size);
process.send?.(rows, () => process.exit(0));
