/**
 * The first steps of a fresh process, for `bundles.ts`: imports a bundle, calls its handler once with the event in its
 * arguments, and prints the duration and the result. It is plain JavaScript, so that no type stripping is timed.
 */
const event = JSON.parse(process.argv[3] ?? '{}');
const began = performance.now();
const bundle = await import(process.argv[2] ?? '');
const answer = await bundle.handler(event, { awsRequestId: 'bench', getRemainingTimeInMillis: () => 10_000 });
const ms = performance.now() - began;
process.stdout.write(JSON.stringify({ ms, answer }));
process.exit(0);
