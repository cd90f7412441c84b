/** The former name of `test-business.ts`. */
export { type TestBusinesses as Bench, testNow, useTestBusiness as useBench } from './test-business.ts';
