/** Payment methods: free text, but common ones have a name in each language. */
import { strings } from '../../strings/strings.ts';

/** Returns `Card` for `card`. Other methods are unchanged. */
export function methodName(method: string): string {
  const { methods } = strings.payments;
  return Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : capitalised(method);
}

/** Converts typed or chosen text to the method that the API stores, which is equal in all languages. */
export function methodOf(typed: string): string {
  const text = typed.trim();
  const [known] =
    Object.entries(strings.payments.methods).find(([, name]) => name.toLowerCase() === text.toLowerCase()) ?? [];
  return known ?? text;
}

const capitalised = (method: string) => method.charAt(0).toUpperCase() + method.slice(1);
