/** Placeholders for values of a deployment, which a page replaces by the real ones. */
export const placeholders = {
  /** The host of the console and of these pages. */
  site: 'https://console.booking.example',
  integration: 'https://api.booking.example/v1/integration',
  /** The origin of `integration`, for a content security policy. */
  api: 'https://api.booking.example',
  account: 'https://console.booking.example/v1/account',
  testKey: 'bk_test_…',
  ownerToken: 'eyJ…',
} as const;

/** The integration API on the host of the pages, which passes requests on. */
export const integrationPath = '/v1/integration';

/** The script of the element, for other websites. */
export const elementPath = '/element/booking-slots.js';

/** Ids of the example business, which are replaced by those of the reader's sandbox. */
export const exampleIds = { service: 1_002, staff: 1_005 } as const;
