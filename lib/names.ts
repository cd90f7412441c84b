/** `create-webhook` or `createWebhook` → `CreateWebhook`: ids of constructs, and so of resources in a template. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
