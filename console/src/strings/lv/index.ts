/** Latvian. */
import 'dayjs/locale/lv';

export * from './api-keys.ts';
export * from './app.ts';
export * from './audit.ts';
export * from './bookings.ts';
export * from './business.ts';
export * from './calendar.ts';
export * from './clients.ts';
export * from './deliveries.ts';
export * from './events.ts';
export * from './overview.ts';
export * from './payments.ts';
export * from './requests.ts';
export * from './resources.ts';
export * from './reviews.ts';
export * from './services.ts';
export * from './session.ts';
export * from './settings.ts';
export * from './staff.ts';
export * from './team.ts';
export * from './webhooks.ts';
