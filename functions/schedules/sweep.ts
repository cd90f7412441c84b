import { sweep } from '../../core/events/sweep.ts';
import { logged } from '../../core/log.ts';

export const handler = logged(sweep);
