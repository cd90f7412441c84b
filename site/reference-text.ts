/** Renders a reference as Markdown: a line for each endpoint and each field. The OpenAPI document has the rest. */
import { type Document, parameterOf } from './openapi.ts';

export function referenceText(json: string): string {
  const document = JSON.parse(json) as Document;
  const { info, servers, paths } = document;
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, parameters = [], requestBody }]) => {
      const names = parameters
        .map((parameter) => parameterOf(document, parameter))
        .map(({ name, required }) => `\`${name}\`${required ? '' : '?'}`);
      const takes = [...names, ...(requestBody ? ['a JSON body'] : [])].join(', ');
      return `- \`${method.toUpperCase()} ${servers[0]?.url}${path}\`: ${summary}${takes && ` (${takes})`}\n`;
    }),
  );
  return `# ${info.title}\n\n${info.description}\n\n## Endpoints\n\n${endpoints.join('')}`;
}
