import type { Store } from '../contract/system/needs.ts';

/** `create-webhook` or `createWebhook` → `CreateWebhook`: the form of construct ids, so of resources in templates. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The output of the Data stack that contains a table's name. */
export function tableOutput(store: Store): string {
  return `${pascalCase(store)}TableName`;
}
