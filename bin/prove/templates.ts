#!/usr/bin/env node
/** `npm run prove -- templates` checks all templates that operators may deploy, as CloudFormation reads them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SynthesisRequest } from '../../test/support/synthesiser.ts';
import { variants } from '../../test/support/variants.ts';
import { readFlags, runCommand, UsageError } from '../command-line.ts';
import { faultsOf, type PropertyDatabase, type Template } from './property-database.ts';

const help = `Synthesises the templates of all stages and settings, and checks them with cdk-nag, with the rules of CloudFormation and
with its resource schemas. Prints the number of resources of each stack. The exit code is 0 without findings.

  npm run prove -- templates [flags]

  --variant NAME  checks only this variant: ${Object.keys(variants).join(', ')}
  --help`;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, { variant: { type: 'string' } });
  const chosen = Object.entries<SynthesisRequest>(variants).filter(([name]) => name === (flags.variant ?? name));
  if (chosen.length === 0) throw new UsageError(`There is no variant ${flags.variant}.`);
  process.env.CDK_VALIDATION = 'true';
  // The name is a variable, so that the types of the project do not need the package.
  const specPackage = '@aws-cdk/aws-service-spec';
  const { loadAwsServiceSpecSync } = (await import(specPackage)) as { loadAwsServiceSpecSync: () => PropertyDatabase };
  const database = loadAwsServiceSpecSync();
  const findings: string[] = [];
  for (const [name, variant] of chosen) {
    console.error(`synthesising ${name}`);
    const { faults, sizes } = await look(variant, database);
    console.log(`${name}: ${faults.length} findings. Resources: ${sizes}`);
    findings.push(...faults.map((fault) => `${name}: ${fault}`));
  }
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
}

async function look(
  { stage, context, laterEndpoints }: SynthesisRequest,
  database: PropertyDatabase,
): Promise<{ faults: string[]; sizes: string }> {
  // Loading the CDK takes seconds, for which `--help` should not wait.
  const { stubApp } = await import('../../test/support/stub-app.ts');
  const [outdir, code] = ['assembly', 'code'].map((name) => mkdtempSync(join(tmpdir(), `booking-${name}-`)));
  if (!outdir || !code) throw new Error('No temporary folder was created.');
  try {
    const rules = { '@aws-cdk/core:validateAgainstDefaultRules': true };
    const faults: string[] = [];
    try {
      stubApp({ stage, context: { ...rules, ...context }, outdir, code, laterEndpoints }).synth();
    } catch (error) {
      faults.push((error as Error).message);
      return { faults, sizes: 'not synthesised' };
    }
    const templates = readdirSync(outdir)
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => ({ file, template: JSON.parse(readFileSync(join(outdir, file), 'utf8')) as Template }));
    const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as Report;
    faults.push(
      ...report.pluginReports.map((one) => JSON.stringify(one)),
      ...templates.flatMap(({ file, template }) => faultsOf(template, database).map((fault) => `${file} ${fault}`)),
    );
    const sizes = templates.map(
      ({ file, template }) => `${file.replace('.template.json', '')} ${Object.keys(template.Resources).length}`,
    );
    return { faults, sizes: sizes.join(', ') };
  } finally {
    for (const folder of [outdir, code]) rmSync(folder, { recursive: true, force: true });
  }
}

interface Report {
  readonly pluginReports: readonly object[];
}

await runCommand(run);
