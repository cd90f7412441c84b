/** The CDK app: `npx cdk synth -c stage=prod`, or `CDK_OUTDIR=folder node bin/app.ts` without the CDK command. */
import { bundleFunctions } from '../lib/bundle.ts';

// esbuild works in a process of its own: the CDK is loaded meanwhile.
const bundling = bundleFunctions();
const { bookingApp } = await import('../lib/app.ts');
bookingApp({ bundles: await bundling }).synth();
