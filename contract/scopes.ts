/** The permissions of API keys (docs/rules.md#scopes). */
const scopes = {
  'business:read': 'Business information (name, address, working hours)',
  'services:read': 'List of services',
  'staff:read': 'List of staff members',
  'slots:read': 'Free slots',
  'bookings:read': 'View existing bookings',
  'bookings:write': 'Create and cancel bookings',
  'reviews:read': 'Customer reviews',
  'webhooks:manage': 'Manage webhooks',
} as const;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];

/** The typical sets of scopes, by name (docs/rules.md#scopes). */
export const scopeSets = {
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
} as const satisfies Record<string, readonly Scope[]>;
