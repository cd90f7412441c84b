import { fileURLToPath } from 'node:url';

/** The folder of this project, without a slash at its end. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
