/** `npm run operate`: commands for the platform engineer (docs/operating.md). */
import { runGroup } from './command-group.ts';

await runGroup('operate', {
  keys: 'creates, lists, regenerates and revokes API keys, invites owners, onboards and offboards businesses',
  smoke: 'checks a deployed API from outside',
  drill: 'walks through the restore runbook on this machine',
  reconcile: 'repairs numbers and times in a region after another was lost',
  where: 'finds the line of the sources that a stack trace of a deployed function means',
  pin: 'stores the logical ids that later deployments must find again',
});
