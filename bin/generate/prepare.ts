/** `npm run prepare`, which `npm ci` runs: what is generated before use is there (see `types.ts`). */
import { generateTypes } from './types.ts';

await generateTypes();
