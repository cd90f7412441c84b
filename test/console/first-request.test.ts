/** The request with which an owner tries a new key. */
import { expect, test } from 'vitest';
import { firstPath, originOf } from '../../console/src/screens/api-keys/first-request.ts';
import { scopeSets } from '../../console/src/screens/api-keys/scope-sets.ts';
import { originAllowed } from '../../core/http/access/origin.ts';

test.each(['www.example.com', '*.example.com', 'https://example.com:8443', 'http://*.example.com', 'localhost:3000'])(
  'For an API key with the allowed origin %s, the command that the console shows sends an origin that the API accepts',
  (website) => {
    expect(originAllowed(originOf(website), [website])).toBe(true);
  },
);

test('The console tests a new API key with a path that the key may read without parameters, if there is one', () => {
  expect(firstPath(scopeSets.full_crm)).toBe('/business');
  expect(firstPath(scopeSets.booking_widget)).toBe('/services');
  expect(firstPath(['slots:read', 'bookings:write'])).toBeUndefined();
});
