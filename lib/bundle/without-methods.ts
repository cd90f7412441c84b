/** Removes methods that are never called from the source of a class; a bundler keeps every method of a class. */
export function withoutMethods(source: string, names: readonly string[]): string {
  return names.reduce((text, name) => {
    const method = new RegExp(`^([ \\t]+)(?:static )?(?:async )?${name}\\(.*\\n(?:.*\\n)*?\\1\\}\\n`, 'm');
    if (!method.test(text)) throw new Error(`lib/bundle: there is no method ${name} to leave out.`);
    return text.replace(method, '');
  }, source);
}
