/** `npm run operate`: commands for the platform engineer (docs/operating.md). */
import { runGroup } from './command-group.ts';

await runGroup('operate', {
  keys: 'creates, lists, regenerates and revokes API keys, invites owners, onboards and offboards businesses',
  smoke: 'checks a deployed API from outside',
  drill: 'walks through the restore runbook on this machine',
  reconcile: 'makes the data of a region consistent after another region was lost',
  where: 'finds the source line of a position in the stack trace of a deployed function',
  pin: 'stores the logical ids that later deployments must keep',
});
