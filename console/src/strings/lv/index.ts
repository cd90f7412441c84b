/** Latvian. */
import 'dayjs/locale/lv';
import type { Strings } from '../strings.ts';
import { apiKeys } from './api-keys.ts';
import { app, errors, screens } from './app.ts';
import { audit } from './audit.ts';
import { bookings } from './bookings.ts';
import { business, hours } from './business.ts';
import { calendar } from './calendar.ts';
import { clients } from './clients.ts';
import { deliveries } from './deliveries.ts';
import { events } from './events.ts';
import { overview } from './overview.ts';
import { payments } from './payments.ts';
import { requests } from './requests.ts';
import { resources } from './resources.ts';
import { reviews } from './reviews.ts';
import { services } from './services.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { staff } from './staff.ts';
import { team } from './team.ts';
import { webhooks } from './webhooks.ts';

export const texts: Strings = {
  app,
  errors,
  screens,
  session,
  apiKeys,
  audit,
  bookings,
  calendar,
  webhooks,
  deliveries,
  requests,
  events,
  overview,
  business,
  hours,
  services,
  resources,
  staff,
  team,
  clients,
  payments,
  reviews,
  settings,
};
