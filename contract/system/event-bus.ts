/** What the entries of the event bus say of themselves, and what its rule matches. */
export const eventSource = 'booking';
