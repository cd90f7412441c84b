import { describe } from 'vitest';
import { amazonsDynamo } from '../../support/dynamo.ts';
import { onEmulator } from '../../support/tables.ts';
import { useTestBusiness } from '../../support/test-business.ts';
import { bookingRaces } from './races.ts';

const start = await amazonsDynamo();

/** These tests are skipped without Java. `npm test -- --emulator=amazon` runs all tests with tables on it. */
describe.skipIf(!start)("on Amazon's DynamoDB Local", () => {
  bookingRaces(useTestBusiness(onEmulator(start)), { racesOfEight: 2, crowd: 8, disjoint: 4 });
});
