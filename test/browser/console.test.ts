/** The console in a real browser: the everyday work of an owner. `-t 'the calendar'` runs one area. */
import { inConsole } from '../support/console.ts';
import { calendar } from './console/calendar.ts';
import { forms } from './console/forms.ts';
import { people } from './console/people.ts';
import { session } from './console/session.ts';
import { setUp } from './console/set-up.ts';
import { specialBookings } from './console/special-bookings.ts';

inConsole([session, setUp, calendar, specialBookings, forms, people]);
