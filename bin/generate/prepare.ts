/** `npm run prepare`, which `npm ci` runs: writes the generated files that are not tracked (see `types.ts`). */
import { runCommand } from '../command-line.ts';
import { generateTypes } from './types.ts';

await runCommand(generateTypes);
