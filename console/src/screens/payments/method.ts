/** `card` → `Card`, as methods are shown. */
export const capitalised = (method: string) => method.charAt(0).toUpperCase() + method.slice(1);
