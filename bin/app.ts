/** The CDK app: `npx cdk synth -c stage=prod`, or `CDK_OUTDIR=folder node bin/app.ts` without the CDK command. */
import { bookingApp } from '../lib/app.ts';
import { bundleFunctions } from '../lib/bundle.ts';

bookingApp({ bundles: await bundleFunctions() }).synth();
