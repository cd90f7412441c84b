/** `npm run prove`: commands that search for rare faults and take longer than the tests (docs/testing.md). */
import { runGroup } from './command-group.ts';

await runGroup('prove', {
  simulate: 'runs the delivery pipeline with a virtual clock and faults at every await',
  regions: 'loses one of two simulated regions again and again, and looks for what was lost',
  fuzz: 'sends random and hostile requests to a local run',
  crash: 'kills a local run at random moments under load, and looks for what was lost',
  clocks: 'runs tests at other dates and in other time zones',
  conformance: 'runs the official suite of the Model Context Protocol against the tools of a local run',
  templates: 'holds the templates of all stages and settings against the rules of CloudFormation',
  mutate: 'changes rules one at a time, and prints the changes that no test notices',
});
