/** Methods of payment: free text, of which the usual ones have a name in each language. */
import { strings } from '../../strings/strings.ts';

/** `card` → `Card`. Others are shown as they were given. */
export function methodName(method: string): string {
  const { methods } = strings.payments;
  return Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : capitalised(method);
}

/** What was typed or chosen → the method as the API keeps it: the same in every language. */
export function methodOf(typed: string): string {
  const text = typed.trim();
  const [known] =
    Object.entries(strings.payments.methods).find(([, name]) => name.toLowerCase() === text.toLowerCase()) ?? [];
  return known ?? text;
}

const capitalised = (method: string) => method.charAt(0).toUpperCase() + method.slice(1);
