import { preflight } from '../../core/http/preflight.ts';

export const handler = preflight();
