/** Reads a synthesised cloud assembly: its templates in deployment order, and the folders of their assets. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

const manifestFile = z.object({
  artifacts: z.optional(
    z.record(
      z.string(),
      z.object({
        type: z.string(),
        dependencies: z.optional(z.array(z.string())),
        properties: z.optional(
          z.object({
            templateFile: z.optional(z.string()),
            stackName: z.optional(z.string()),
            file: z.optional(z.string()),
            directoryName: z.optional(z.string()),
          }),
        ),
      }),
    ),
  ),
});

const resourceShape = z.looseObject({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
  Condition: z.optional(z.string()),
});

const templateFile = z.object({
  Resources: z._default(z.record(z.string(), resourceShape), {}),
  Outputs: z._default(
    z.record(z.string(), z.object({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.unknown() })) })),
    {},
  ),
  Parameters: z._default(z.record(z.string(), z.object({ Type: z.string(), Default: z.optional(z.unknown()) })), {}),
  Conditions: z._default(z.record(z.string(), z.unknown()), {}),
  Mappings: z._default(z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))), {}),
});

export type Resource = z.infer<typeof resourceShape>;
type TemplateFile = z.infer<typeof templateFile>;

export interface Template {
  readonly stackName: string;
  /** Resources by logical id. */
  readonly resources: TemplateFile['Resources'];
  readonly outputs: TemplateFile['Outputs'];
  readonly parameters: TemplateFile['Parameters'];
  readonly conditions: TemplateFile['Conditions'];
  readonly mappings: TemplateFile['Mappings'];
  /** The folders of assets by object key. */
  readonly assets: ReadonlyMap<string, string>;
}

const assetsFile = z.object({
  files: z._default(
    z.record(
      z.string(),
      z.object({
        source: z.object({ path: z.optional(z.string()) }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    ),
    {},
  ),
});

/** Returns every template of the assembly, a stack after its dependencies. */
export async function readTemplates(assemblyDir: string): Promise<Template[]> {
  const { artifacts = {} } = manifestFile.parse(await readJson(join(assemblyDir, 'manifest.json')));
  const templates: Template[] = [];
  const assets = new Map<string, string>();
  for (const name of inOrder(artifacts)) {
    const { type, properties = {} } = artifacts[name] ?? { type: 'none' };
    if (type === 'cdk:asset-manifest' && properties.file) {
      await addAssets(assets, assemblyDir, properties.file);
    } else if (type === 'aws:cloudformation:stack' && properties.templateFile) {
      const body = templateFile.parse(await readJson(join(assemblyDir, properties.templateFile)));
      templates.push({
        stackName: properties.stackName ?? name,
        resources: body.Resources,
        outputs: body.Outputs,
        parameters: body.Parameters,
        conditions: body.Conditions,
        mappings: body.Mappings,
        assets,
      });
    } else if (type === 'cdk:cloud-assembly' && properties.directoryName) {
      templates.push(...(await readTemplates(join(assemblyDir, properties.directoryName))));
    }
  }
  return templates;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`The cloud assembly is damaged (${error}): synthesise it again.`, { cause: error });
  }
}

async function addAssets(assets: Map<string, string>, assemblyDir: string, file: string): Promise<void> {
  const { files } = assetsFile.parse(await readJson(join(assemblyDir, file)));
  for (const { source, destinations } of Object.values(files)) {
    if (source.path === undefined) continue;
    for (const { objectKey } of Object.values(destinations)) assets.set(objectKey, join(assemblyDir, source.path));
  }
}

function inOrder(artifacts: Record<string, { dependencies?: string[] | undefined }>): string[] {
  const ordered = new Set<string>();
  const visit = (name: string) => {
    if (ordered.has(name)) return;
    for (const dependency of artifacts[name]?.dependencies ?? []) visit(dependency);
    ordered.add(name);
  };
  for (const name of Object.keys(artifacts)) visit(name);
  return [...ordered];
}
