import { useBench } from '../../support/tenant.ts';
import { bookingRaces } from './races.ts';

/** `RACES=1000 npx vitest run test/core/bookings/races.test.ts` takes a few minutes. */
const racesOfEight = Number(process.env.RACES ?? 200);

bookingRaces(useBench(), { racesOfEight, crowd: 200 });
