/** Renders a reference as Markdown: a line for each endpoint and each field. The OpenAPI document has the rest. */
interface Field {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly $ref?: string;
}
interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Field[];
  readonly requestBody?: unknown;
}
interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Field>> };
}

export function referenceText(json: string): string {
  const { info, servers, paths, components } = JSON.parse(json) as Document;
  const parameter = (field: Field) => components.parameters?.[field.$ref?.replace(/^.*\//, '') ?? ''] ?? field;
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, parameters = [], requestBody }]) => {
      const names = parameters.map(parameter).map(({ name, required }) => `\`${name}\`${required ? '' : '?'}`);
      const takes = [...names, ...(requestBody ? ['a JSON body'] : [])].join(', ');
      return `- \`${method.toUpperCase()} ${servers[0]?.url}${path}\`: ${summary}${takes && ` (${takes})`}\n`;
    }),
  );
  return `# ${info.title}\n\n${info.description}\n\n## Endpoints\n\n${endpoints.join('')}`;
}
