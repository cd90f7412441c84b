import { relay } from '../../core/events/relay.ts';

export const handler = relay;
