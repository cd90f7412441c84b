/** What stands for a deployment in texts, and is replaced by the reader's own when a page is open. */
export const placeholders = {
  /** The host of the console and of these pages. */
  site: 'https://console.booking.example',
  integration: 'https://api.booking.example/v1/integration',
  /** The origin of the address above, for a content policy. */
  api: 'https://api.booking.example',
  account: 'https://console.booking.example/v1/account',
  testKey: 'bk_test_…',
  ownerToken: 'eyJ…',
} as const;

/** The element by itself, for pages of others. */
export const elementPath = '/element/booking-slots.js';

/** Of the business in the examples: replaced by those of the reader's own sandbox. */
export const exampleIds = { service: 1_002, staff: 1_005 } as const;
