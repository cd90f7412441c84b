import { sweep } from '../../core/events/sweep.ts';

export const handler = sweep;
