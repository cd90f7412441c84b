/** Live and test mode (docs/rules.md#test-mode). */
import * as z from 'zod/mini';
import { field } from './fields.ts';

export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

/** The mode of a request to the account API; the default is `live`. */
export const modeHeader = 'Booking-Mode';

export const mode = field('`live`, or `test` for the sandbox, where nothing reaches real clients.', z.enum(modes));
