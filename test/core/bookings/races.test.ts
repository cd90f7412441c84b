import { describe } from 'vitest';
import { onEmulator } from '../../support/tables.ts';
import { useTestBusiness } from '../../support/test-business.ts';
import { bookingRaces } from './races.ts';

/** `RACES=1000 npx vitest run test/core/bookings/races.test.ts` takes some minutes. */
const racesOfEight = Number(process.env.RACES ?? 16);

describe('on the local emulator', () => {
  bookingRaces(useTestBusiness(onEmulator()), { racesOfEight, crowd: 50, disjoint: 32 });
});
