/** The source of our entries on the event bus, which its rule matches. */
export const eventSource = 'booking';
