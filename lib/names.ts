import type { Store } from '../contract/system/needs.ts';

/**
 * Converts `create-webhook` or `createWebhook` to `CreateWebhook`, for ids of constructs and so of resources in a
 * template.
 */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The output of the Data stack that contains a table's name. */
export function tableOutput(store: Store): string {
  return `${pascalCase(store)}TableName`;
}
