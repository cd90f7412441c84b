/**
 * What a fresh process does first, for `bundles.ts`: imports a bundle, calls its handler once with the event of its arguments,
 * and prints how long that took and what came back. Plain JavaScript, so that nothing is stripped of types while it is timed.
 */
const event = JSON.parse(process.argv[3] ?? '{}');
const began = performance.now();
const bundle = await import(process.argv[2] ?? '');
const answer = await bundle.handler(event, { awsRequestId: 'bench', getRemainingTimeInMillis: () => 10_000 });
const ms = performance.now() - began;
process.stdout.write(JSON.stringify({ ms, answer }));
process.exit(0);
