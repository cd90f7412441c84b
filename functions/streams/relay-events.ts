import { relay } from '../../core/events/relay.ts';
import { logged } from '../../core/log.ts';

export const handler = logged(relay);
