/** `npm run prove`: commands that search for rare faults and take longer than the tests (docs/testing.md). */
import { runGroup } from './command-group.ts';

await runGroup('prove', {
  simulate: 'runs the delivery pipeline with a virtual clock and faults at every await',
  regions: 'simulates the loss of one of two regions many times, and looks for lost data',
  fuzz: 'sends random and hostile requests to a local run',
  crash: 'kills a local run at random moments under load, and looks for lost data',
  clocks: 'runs tests at other dates and in other time zones',
  conformance: 'runs the official suite of the Model Context Protocol against the tools of a local run',
  templates: 'checks the templates of all stages and settings with the rules of CloudFormation',
  mutate: 'runs mutation tests, and prints the mutants that no test kills',
});
