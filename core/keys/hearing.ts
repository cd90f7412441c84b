/** The former names of `event-access.ts`, until every caller is converted. */
export { assertMayReceive as assertHears, mayReceive as hears } from './event-access.ts';
