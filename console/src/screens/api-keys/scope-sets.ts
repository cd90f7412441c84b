/** The API's predefined sets of permissions. */
import type { Answer, Input } from '../../api/call.ts';

export type Scope = Answer<'getApiKey'>['scopes'][number];
type ScopeSet = NonNullable<Input<'createApiKey'>['scopeSet']>;

export const scopeSets: Readonly<Record<ScopeSet, readonly Scope[]>> = {
  booking_widget: ['services:read', 'staff:read', 'slots:read', 'bookings:write'],
  display_only: ['business:read', 'services:read', 'staff:read', 'reviews:read'],
  full_crm: [
    'business:read',
    'services:read',
    'staff:read',
    'slots:read',
    'bookings:read',
    'bookings:write',
    'webhooks:manage',
  ],
};

export const setNames = Object.keys(scopeSets) as ScopeSet[];

/** Returns the set with exactly these permissions, in any order. */
export function setOf(scopes: readonly Scope[]): ScopeSet | undefined {
  return setNames.find(
    (name) => scopeSets[name].length === scopes.length && scopeSets[name].every((scope) => scopes.includes(scope)),
  );
}
