/** The running system matches contract/integration/examples.json and contract/account/examples.json. */
import { describe, test } from 'vitest';
import { compactJson } from '../../../bin/generate/compact-json.ts';
import type { Examples } from '../../../contract/examples.ts';
import { accountExamplesOf } from '../../support/account-examples.ts';
import { examplesOf } from '../../support/examples-journey.ts';
import type { Journeys } from '../../support/local.ts';
import { committed, differencesOf, expectRecorded, inOrderOf, withinAnHour } from '../../support/recorded.ts';

const file = 'contract/integration/examples.json';
const accountFile = 'contract/account/examples.json';

export const examples: Journeys = (local) =>
  describe('the recorded examples', () => {
    test('Every recorded example of the integration API equals a real request and its response', async () => {
      const shown = JSON.parse(committed(file)) as Examples;
      const fresh = await withinAnHour(() => examplesOf(local()));
      const written = compactJson(inOrderOf(shown, fresh));
      expectRecorded(file, written, differencesOf(shown, fresh));
    });

    test('Every recorded example of the account API equals a real request and its response', async () => {
      const shown = JSON.parse(committed(accountFile)) as Examples['operations'];
      const fresh = await withinAnHour(() => accountExamplesOf(local()));
      const written = compactJson(inOrderOf(shown, fresh));
      expectRecorded(accountFile, written, differencesOf(shown, fresh));
    });
  });
