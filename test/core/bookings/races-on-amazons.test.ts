import { describe } from 'vitest';
import { amazonsDynamo } from '../../support/dynamo.ts';
import { useBench } from '../../support/tenant.ts';
import { bookingRaces } from './races.ts';

const start = amazonsDynamo();

/** Skipped where there is no Java and no `DYNAMODB_LOCAL_URL`. */
describe.skipIf(!start)("on Amazon's DynamoDB Local", { timeout: 120_000 }, () => {
  bookingRaces(useBench(start), { racesOfEight: 6, crowd: 16, disjoint: 20 });
});
